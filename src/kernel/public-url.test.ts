import { expect, it } from 'vitest'
import { publicUrl } from './public-url.ts'

it.each([
  ['https://help.example/returns', 'https://help.example/returns'],
  [' http://help.example ', 'http://help.example/'],
  ['https://help.example/退货', 'https://help.example/%E9%80%80%E8%B4%A7'],
  ['/returns', null],
  ['javascript:alert(1)', null],
  ['ftp://help.example', null],
  ['https://ann:secret@help.example', null],
  [`https://help.example/${'x'.repeat(2_000)}`, null],
  ['', null],
])('%s', (text, expected) => {
  expect(publicUrl(text)).toBe(expected)
})
