import { describe, expect, it } from 'vitest'
import { parseDocument } from './parse-document.ts'
import type { Block } from './types.ts'

const parse = (fileName: string, text: string) => parseDocument({ fileName, bytes: new TextEncoder().encode(text) })
const blocksOf = async (fileName: string, text: string): Promise<Block[]> => (await parse(fileName, text)).blocks

describe('CSV', () => {
  it.each([',', ';', '\t'])('finds the delimiter %j and the question and answer columns', async (mark) => {
    const text = `${['问题', '分类', '答案'].join(mark)}\r\n${['如何退货？', '售后', '"七天内，\n联系客服"'].join(mark)}\r\n`
    expect(await blocksOf('a.csv', text)).toMatchObject([
      { type: 'qa', question: '如何退货？', answer: [{ text: '七天内，\n联系客服' }], metadata: { 分类: '售后' } },
    ])
  })

  it('reads other tables as records with their column names', async () => {
    expect(await blocksOf('a.csv', 'plan,price\nBasic,10\nPro,"1,200"\n')).toMatchObject([
      {
        type: 'record',
        fields: [
          ['plan', 'Basic'],
          ['price', '10'],
        ],
      },
      {
        type: 'record',
        fields: [
          ['plan', 'Pro'],
          ['price', '1,200'],
        ],
      },
    ])
  })

  it('does not take data for a header', async () => {
    expect(await blocksOf('a.csv', '1,red\n2,blue\n')).toMatchObject([
      {
        fields: [
          ['', '1'],
          ['', 'red'],
        ],
      },
      {
        fields: [
          ['', '2'],
          ['', 'blue'],
        ],
      },
    ])
  })

  it('survives an unbalanced quote and rows of different lengths', async () => {
    const blocks = await blocksOf('a.csv', 'name,note\nA,"open quote\nB,fine,extra\n')
    expect(JSON.stringify(blocks)).toContain('open quote')
    expect(JSON.stringify(blocks)).toContain('extra')
  })
})

describe('JSON and JSON lines', () => {
  it('makes pairs of titled texts that ask, keeping the other fields as metadata and ignoring their HTML', async () => {
    const line = {
      doc_id: 'cv1',
      title: 'What is it?',
      text: 'A virus.',
      html: '<p>A virus.</p>',
      category: 'Basics',
      tags: ['a', 'b'],
    }
    expect(
      await blocksOf('a.jsonl', `${JSON.stringify(line)}\n${JSON.stringify({ ...line, doc_id: 'cv2' })}\n`),
    ).toEqual([
      {
        type: 'qa',
        question: 'What is it?',
        answer: [{ type: 'paragraph', text: 'A virus.' }],
        metadata: { doc_id: 'cv1', category: 'Basics', tags: 'a, b' },
      },
      {
        type: 'qa',
        question: 'What is it?',
        answer: [{ type: 'paragraph', text: 'A virus.' }],
        metadata: { doc_id: 'cv2', category: 'Basics', tags: 'a, b' },
      },
    ])
  })

  it('makes entries of titled texts that do not ask', async () => {
    expect(
      await blocksOf('a.json', '{"articles":[{"title":"Returns","body":"# Time\\n\\n- seven\\n- days"}]}'),
    ).toMatchObject([
      { type: 'heading', text: 'articles' },
      { type: 'entry', title: 'Returns', blocks: [{ type: 'heading', text: 'Time' }, { type: 'list' }] },
    ])
  })

  it('keeps the details of an entry as content and reads a lone text as such', async () => {
    const plan = '[{"id":"p1","name":"Basic","description":"For one person.","price":10,"currency":"EUR"}]'
    expect(await blocksOf('a.json', plan)).toMatchObject([
      {
        type: 'entry',
        title: 'Basic',
        blocks: [{ text: 'For one person.' }, { text: 'price: 10\ncurrency: EUR' }],
        metadata: { id: 'p1' },
      },
    ])
    expect(
      await blocksOf(
        'a.jsonl',
        '{"ticket_id":"t1","text":"I need a quote","lang":"en"}\n{"ticket_id":"t2","text":"Hi"}',
      ),
    ).toMatchObject([
      { type: 'entry', title: '', blocks: [{ text: 'I need a quote' }], metadata: { ticket_id: 't1', lang: 'en' } },
      { type: 'entry', title: '', blocks: [{ text: 'Hi' }] },
    ])
  })

  it('reads a map of questions to answers', async () => {
    expect(await blocksOf('a.json', '{"How long?":"7 days","多少钱？":"十元"}')).toMatchObject([
      { question: 'How long?' },
      { question: '多少钱？' },
    ])
  })

  it('names nested values by their path', async () => {
    expect(
      await blocksOf('a.json', '[{"id":1,"address":{"city":"Rome"},"items":[{"n":"x"}],"none":null}]'),
    ).toMatchObject([
      {
        type: 'record',
        fields: [
          ['id', '1'],
          ['address.city', 'Rome'],
          ['items[1].n', 'x'],
        ],
        metadata: { id: '1' },
      },
    ])
  })

  it('reads lines in a .json file, and names the line that is broken', async () => {
    expect(await blocksOf('a.json', '{"a":1}\n{"a":2}\n')).toHaveLength(2)
    await expect(parse('a.jsonl', '{"a":1}\n{"a":\n')).rejects.toMatchObject({
      code: 'malformed_document',
      message: expect.stringContaining('line 2'),
    })
    await expect(parse('a.json', '{"a":1,,}')).rejects.toMatchObject({
      kind: 'bad_request',
      code: 'malformed_document',
    })
  })
})
