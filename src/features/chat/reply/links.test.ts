import { describe, expect, it } from 'vitest'
import { findLinks } from './links.ts'

const addresses = (text: string): string[] => findLinks(text).map(({ address }) => address)

describe('links in a text', () => {
  it.each([
    ['Visit evil.example now.', 'evil.example'],
    ['Visit EVIL.COM.', 'EVIL.COM'],
    ['see evil.example/login?x=1, please', 'evil.example/login?x=1'],
    ['at sub.evil.co.uk:8080', 'sub.evil.co.uk:8080'],
    ['请访问evil.example了解', 'evil.example'],
    ['请访问淘宝.com', '宝.com'],
    ['打开新东方.公司查看', '方.公司'],
    ['打开evil。com', 'l.com'],
    ['打开evil．com', 'evil.com'],
    [String.raw`open evil\.example`, 'evil.example'],
    ['[here](evil.example)', 'evil.example'],
    ['[here](//evil.example/a)', 'evil.example/a'],
    ['<evil.example>', 'evil.example'],
    ['...evil.com', 'evil.com'],
    ['write to pay@evil.example', 'evil.example'],
    ['xn--fsq.xn--0zwm56d', 'xn--fsq.xn--0zwm56d'],
    ['t.me', 't.me'],
    ['readme.md/login', 'readme.md/login'],
    ['Evil.Com', 'Evil.Com'],
    ['open evil.someday', 'evil.someday'],
  ])('are found: %s', (text, address) => {
    expect(addresses(text)).toEqual([address])
  })

  it.each([
    'Read readme.md and config.json, made with Node.js.',
    'It costs 3.5 dollars, e.g. version 1.2.3 or v2.10.',
    'It takes 2 days.It is free.We ship to the U.S. and the U.K.',
    'Dr.Who, Ph.D., No.5, i.e. nothing, e.g.lamps',
    '1.open the page 2.press the button',
    '可以退货。请保留小票。App 里也可以。',
    '支持iOS。下载后打开',
    'ASP.NET applications',
    'Wait...and see',
    '满 50.5 元包邮',
  ])('are not found in %s', (text) => {
    expect(addresses(text)).toEqual([])
  })
})
