import { describe, expect, it } from 'vitest'
import { parseHtml } from './parse.ts'

/** Steps of the processor would be best; the share of a doubled input in its time is close, when both are repeated. */
function growth(make: (count: number) => string, count: number): number {
  const time = (html: string): number => {
    const runs = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage()
      parseHtml(html)
      return process.cpuUsage(start).user
    })
    return Math.min(...runs)
  }
  const [small, large] = [make(count), make(4 * count)]
  return time(large) / time(small)
}

describe('a page with thousands of elements in a row', () => {
  it.each([
    ['paragraphs', (count: number) => '<p>One of many.</p>'.repeat(count)],
    ['scripts', (count: number) => '<script>x</script><b>y</b>'.repeat(count)],
    [
      'hidden parts after one long part',
      (count: number) => `<p>${'word '.repeat(count)}</p>${'<i hidden></i>'.repeat(count)}`,
    ],
  ])('is read in time that grows with them: %s', (_, make) => {
    // Four times the elements took sixteen times as long.
    expect(growth(make, 2_000)).toBeLessThan(11)
  })

  it('is read as before', () => {
    const html =
      '<p>One.</p><nav>Menu</nav>two<script>x</script><h2>Is it?</h2><div hidden>Yes.</div><div hidden>Ad.</div>'
    expect(parseHtml(html).blocks).toEqual([
      { type: 'paragraph', text: 'One.' },
      { type: 'paragraph', text: 'two' },
      { type: 'heading', level: 2, text: 'Is it?' },
      { type: 'paragraph', text: 'Yes.' },
    ])
  })
})
