import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { parseTestset } from './testset-file.ts'

const read = (name: string, content: string | Uint8Array) =>
  parseTestset('file', name, typeof content === 'string' ? Buffer.from(content) : content)

const FIELDS = 'a case has query, expected_sources, expected_doc_ids, expected_content, category, history'

const FULL = {
  query: '那电子产品呢？',
  expected_sources: ['returns.md'],
  expected_doc_ids: ['doc_1'],
  expected_content: ['15 天'],
  category: 'follow_up',
  history: [{ role: 'user', content: '退货期限是几天？' }],
}
const PARSED = {
  query: '那电子产品呢？',
  expectedSources: ['returns.md'],
  expectedDocIds: ['doc_1'],
  expectedContent: ['15 天'],
  category: 'follow_up',
  history: [{ role: 'user', content: '退货期限是几天？' }],
}
const BARE = {
  query: 'q',
  expectedSources: [],
  expectedDocIds: [],
  expectedContent: [],
  category: 'general',
  history: [],
}

describe('a test set', () => {
  it('is read from JSON, a list or in an object', () => {
    expect(read('a.json', JSON.stringify([FULL, { query: 'q' }]))).toEqual([PARSED, BARE])
    expect(read('a.JSON', JSON.stringify({ cases: [FULL] }))).toEqual([PARSED])
  })

  it('is read from JSONL, blank lines and line ends of Windows among it', () => {
    expect(read('a.jsonl', `\r\n${JSON.stringify(FULL)}\r\n\r\n{"query":" q "}\n`)).toEqual([PARSED, BARE])
  })

  it('is read from CSV, with lists as JSON or separated by bars', () => {
    const history = '"[{""role"":""user"",""content"":""退货期限是几天？""}]"'
    const csv = [
      'query,expected_sources,expected_doc_ids,expected_content,category,history,remark',
      `那电子产品呢？,returns.md,"[""doc_1""]",15 天,follow_up,${history},x`,
      'q,,,,,,',
      'p,a.md | b.md,,"one, two",,earlier,',
    ].join('\n')
    expect(read('a.csv', `\ufeff${csv}`)).toEqual([
      PARSED,
      BARE,
      {
        ...BARE,
        query: 'p',
        expectedSources: ['a.md', 'b.md'],
        expectedContent: ['one, two'],
        history: [{ role: 'user', content: 'earlier' }],
      },
    ])
  })

  it('is read from GB 18030 too', () => {
    const bytes = Uint8Array.from([...Buffer.from('query\n'), 0xcd, 0xcb, 0xbb, 0xf5])
    expect(read('a.csv', bytes)).toEqual([{ ...BARE, query: '退货' }])
  })

  it('may have columns that are somebody’s own', () => {
    const own = { id: 7, note: 'asked twice', language: 'zh' }
    expect(read('a.json', JSON.stringify([{ query: 'q', ...own }]))).toEqual([BARE])
    expect(read('a.json', JSON.stringify([{ ...FULL, gold_answer: 'x', empty: null }, { query: 'q' }]))).toEqual([
      PARSED,
      BARE,
    ])
    expect(read('a.csv', 'query,empty,category\nq,,\n')).toEqual([BARE])
  })

  it('takes null and one text for a list', () => {
    const given = { query: 'q', expected_sources: 'a.md', expected_content: null, category: null, history: ['before'] }
    expect(read('a.json', JSON.stringify([given]))).toEqual([
      { ...BARE, expectedSources: ['a.md'], history: [{ role: 'user', content: 'before' }] },
    ])
  })
})

describe('what is wrong is named with its place', () => {
  it.each<[name: string, content: string, kind: string, detail: string]>([
    ['a.txt', '{}', 'bad_request', 'file: a test set must be a .json, .jsonl or .csv file'],
    ['a', '{}', 'bad_request', 'file: a test set must be a .json, .jsonl or .csv file'],
    ['a.json', '', 'invalid', 'file: the test set has no cases'],
    ['a.json', '[]', 'invalid', 'file: the test set has no cases'],
    ['a.jsonl', ' \n\n', 'invalid', 'file: the test set has no cases'],
    ['a.csv', 'query\n', 'invalid', 'file: the test set has no cases'],
    ['a.json', '[', 'invalid', 'file: is not valid JSON'],
    ['a.json', '"x"', 'invalid', 'file: must be a list of cases, or an object with the list "cases"'],
    ['a.json', '{"query":"q"}', 'invalid', 'file: must be a list of cases, or an object with the list "cases"'],
    ['a.jsonl', '{"query":"q"}\n\n{"query"', 'invalid', 'file: line 3: is not valid JSON'],
    ['a.jsonl', '{"query":"q"}\n3', 'invalid', 'file: line 2: is no object'],
    ['a.json', '[{"query":"q"},{}]', 'invalid', 'file: case 2: query is required'],
    ['a.json', '[{"query":5}]', 'invalid', 'file: case 1: query must be text'],
    ['a.json', '[{"query":" "}]', 'invalid', 'file: case 1: query is empty'],
    ['a.json', `[{"query":"${'x'.repeat(8_001)}"}]`, 'invalid', 'file: case 1: query is longer than 8000 characters'],
    ['a.json', '[{"query":"q","expected_sources":5}]', 'invalid', 'file: case 1: expected_sources must be a list'],
    ['a.json', '[{"query":"q","expected_sources":[5]}]', 'invalid', 'file: case 1: expected_sources must be text'],
    [
      'a.json',
      '[{"query":"q","expected_content":["?!"]}]',
      'invalid',
      'file: case 1: expected_content needs a letter or a digit',
    ],
    [
      'a.json',
      '[{"query":"q","history":[5]}]',
      'invalid',
      'file: case 1: history must hold texts or objects with role and content',
    ],
    [
      'a.json',
      '[{"query":"q","history":[{"role":"boss","content":"x"}]}]',
      'invalid',
      'file: case 1: history: role must be user or assistant',
    ],
    ['a.csv', 'query,category\nq,a\n"x,b\n', 'invalid', 'file: line 3: is not valid CSV'],
    ['a.csv', 'remark,category\nq,a\n', 'invalid', 'file: line 2: query is required'],
    ['a.csv', 'question\nq\n', 'invalid', `file: unknown columns "question" (query?); ${FIELDS}`],
    [
      'a.csv',
      'query,answer_file,gold answer,quux\nq,a.md,b,c\n',
      'invalid',
      `file: unknown columns "answer_file" (expected_content?), "gold answer" (expected_content?), "quux"; ${FIELDS}`,
    ],
    [
      'a.json',
      '[{"query":"q","expected_sources":["a.md"]},{"query":"p","Expected-Source":["b.md"]}]',
      'invalid',
      `file: unknown columns "Expected-Source" (expected_sources?); ${FIELDS}`,
    ],
    [
      'a.jsonl',
      '{"query":"q","expectedContent":"x"}\n{"query":"p","doc_id":"doc_1"}',
      'invalid',
      `file: unknown columns "expectedContent" (expected_content?), "doc_id" (expected_doc_ids?); ${FIELDS}`,
    ],
    [
      'a.json',
      JSON.stringify([Object.fromEntries([['query', 'q'], ...Array.from({ length: 12 }, (_, i) => [`x${i}`, '1'])])]),
      'invalid',
      `file: unknown columns ${Array.from({ length: 10 }, (_, i) => `"x${i}"`).join(', ')} and 2 more; ${FIELDS}`,
    ],
    ['a.jsonl', '{"query":"q"}\n'.repeat(2_001), 'invalid', 'file: the test set has 2001 cases, at most 2000 fit'],
  ])('%#: %s', (name, content, kind, message) => {
    expect(() => read(name, content)).toThrow(expect.objectContaining({ kind, message }))
  })

  it('whatever the bytes are, it is a set or a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('a.json', 'a.jsonl', 'a.csv'), (bytes, name) => {
        try {
          expect(read(name, bytes).length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
    )
  })
})
