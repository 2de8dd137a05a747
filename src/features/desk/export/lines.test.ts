import { expect, test } from 'vitest'
import { COLUMNS, csvLine, type ExportedLine, jsonLine } from './lines.ts'

const line: ExportedLine = {
  session_id: 's',
  user_id: '',
  channel: 'web',
  agent_status: 'none',
  agent_id: null,
  labels: ['a', 'b, c'],
  message_id: 'm',
  timestamp: '2026-01-31T09:30:00.000Z',
  role: 'user',
  author: null,
  content: 'Hello',
}
const ofContent = (content: string): string => {
  const before = 's,,web,none,,"a; b, c",m,2026-01-31T09:30:00.000Z,user,,'
  const written = csvLine({ ...line, content })
  expect(written.startsWith(before)).toBe(true)
  return written.slice(before.length, -2)
}

test.each([
  ['Hello', 'Hello'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
  ['+49 170', "'+49 170"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1+1', "'  =1+1"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['3 - 1 = 2', '3 - 1 = 2'],
  ['你好', '你好'],
])('%j stands in a cell as %j', (content, expected) => {
  expect(ofContent(content)).toBe(expected)
})

test('lines of JSON hold every column', () => {
  const written = jsonLine(line)
  expect(written.endsWith('}\n')).toBe(true)
  expect(Object.keys(JSON.parse(written))).toEqual([...COLUMNS])
})
