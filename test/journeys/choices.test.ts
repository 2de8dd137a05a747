import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const DOCUMENTS = {
  'kettle.md': '# Kettle\n\n## Looking after the kettle\n\nWipe the kettle with a dry cloth. Vinegar removes lime.\n',
  'toaster.md': '# Toaster\n\n## Looking after the toaster\n\nPull out the tray and empty it. Never use water.\n',
  'blender.md': '# Blender\n\n## Looking after the blender\n\nThe jar of the blender goes into the dishwasher.\n',
  'warranty.md': '# Warranty\n\nKitchen machines have a warranty of two years.\n',
}

interface Body {
  reply: string
  data: {
    sources: { source: string }[]
    suggestions: { title: string; source: string }[]
    failed_attempts: number
    escalate_to_human: boolean
  }
}

describe('choices beside what may be the answer', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    for (const [name, text] of Object.entries(DOCUMENTS)) await test.upload(text, name, { register: 'true' })
  })
  afterAll(() => test.close())

  const say = async (message: string, session: string): Promise<Body> =>
    (await test.call('POST', '/api/v1/chat', { message, session_id: session })).body
  const titles = ({ data }: Body): string[] => data.suggestions.map(({ title }) => title)
  const UNSURE = 'my machine got all sticky, what now?'

  it('are numbered as they stand in the data, those with an excerpt first', async () => {
    const body = await say(UNSURE, 'numbers')
    const { reply, data } = body
    expect(titles(body)).toHaveLength(4)
    expect(new Set(titles(body)).size).toBe(4)
    expect(data.suggestions.slice(0, 3).map(({ source }) => source)).toEqual(data.sources.map(({ source }) => source))
    const parts = reply.split(/^[①②③] /m)
    expect(parts[0]).toBe('The closest I have:\n')
    expect(parts.slice(1).map((part) => /^Source: (.*)$/m.exec(part)?.[1])).toEqual(titles(body).slice(0, 3))
    expect(data).toMatchObject({ failed_attempts: 1, escalate_to_human: false })
  })

  it.each([['2'], ['②'], ['the second one'], ['第二个'], ['Toaster']])('are taken by "%s"', async (choice) => {
    const session = `takes ${choice}`
    const first = await say(UNSURE, session)
    const taken = first.data.suggestions[choice === 'Toaster' ? titles(first).indexOf('Toaster') : 1]
    const { reply, data } = await say(choice, session)
    expect(taken).toBeDefined()
    expect(data.sources.map(({ source }) => source)).toEqual([taken?.source])
    expect(reply).not.toContain('closest')
    expect(data).toMatchObject({ failed_attempts: 0, suggestions: [] })
  })

  it('come with the last event of a stream, as they come with the reply', async () => {
    const { body } = await test.call('POST', '/api/v1/chat/stream', { message: UNSURE, session_id: 'streamed' })
    const last = JSON.parse(body.trim().split('data: ').at(-1))
    const { data } = await say(UNSURE, 'plain')
    expect(last.data.suggestions).toEqual(data.suggestions)
  })
})
