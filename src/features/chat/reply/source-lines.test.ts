import { describe, expect, it } from 'vitest'
import { createSourceLines, withoutSourceLines } from './source-lines.ts'

const SOURCES = [{ title: 'Returns' }, { title: '退换货' }]

describe('lines that name sources', () => {
  it.each([
    ['Within 7 days.\n\nSource: Returns › Window', 'Within 7 days.'],
    ['Within 7 days.\n\nSource: Returns https://shop.example/help', 'Within 7 days.'],
    ['7 天内。\n\n来源：退换货 › 期限，3', '7 天内。'],
    ['One.\n\nSource: Returns\n\nMore, by number:\n① Faults', 'One.\n\nMore, by number:\n① Faults'],
    ['① A\none\n\nSource: Returns › A\n\n② B\ntwo\n\nSource: Returns › B', '① A\none\n\n② B\ntwo'],
    ['Yes.\n\nSource: Answer of our support team › Returns', 'Yes.'],
  ])('go: %j', (text, left) => {
    expect(withoutSourceLines(text, SOURCES)).toBe(left)
  })

  it.each([
    'Power.\n\nSource: 220 V',
    'Source: Returns',
    'One.\nSource: Returns',
    'A.\n\n\nB.\n',
    'Sour\n\nSource',
    'Ends with a break\n\n',
  ])('are no other lines: %j', (text) => {
    expect(withoutSourceLines(text, SOURCES)).toBe(text)
  })

  it('are those of sources alone', () => {
    expect(withoutSourceLines('Hello.\n\nSource: Returns', [])).toBe('Hello.\n\nSource: Returns')
    expect(withoutSourceLines('Hello.\n\nSource: Returns', [{ title: '' }])).toBe('Hello.\n\nSource: Returns')
  })

  it('go however the text is cut into pieces, and nothing else waits', () => {
    const text = '① A\none\n\nSource: Returns › A\n\n② B\ntwo\n\nSource: 220 V\n\nSource: Returns › B\n\nBye'
    const whole = withoutSourceLines(text, SOURCES)
    for (let size = 1; size < text.length; size++) {
      const lines = createSourceLines(SOURCES)
      let left = ''
      for (let at = 0; at < text.length; at += size) left += lines.push(text.slice(at, at + size))
      expect(left + lines.end()).toBe(whole)
    }
    expect(createSourceLines(SOURCES).push('Within 7 days')).toBe('Within 7 days')
  })
})
