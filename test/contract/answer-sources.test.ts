import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const manual = (minutes: number, press: string) =>
  `# Kettle\n\n## Reset the kettle\n\nTo reset the kettle press ${press} for ${minutes} seconds, until the lamp goes out.\n`
const OTHERS = {
  'toaster.md': '# Toaster\n\nThe toaster has two slots and a tray for crumbs.\n',
  'blender.md': '# Blender\n\nThe jar of the blender holds two litres.\n',
}

/** Sources hold what a reply used, and nothing that is gone. */
describe('the sources of an answer', () => {
  let test: TestApp

  beforeAll(async () => {
    test = await createTestApp()
    await test.upload(manual(3, 'the lid'), 'kettle-1.md', { register: 'true', applicable_version: '1.0' })
    await test.upload(manual(9, 'the handle'), 'kettle-2.md', { register: 'true', applicable_version: 'v2.1' })
    for (const [name, text] of Object.entries(OTHERS)) await test.upload(text, name, { register: 'true' })
  })
  afterAll(() => test.close())

  const ask = async (message: string) => (await test.call('POST', '/api/v1/chat', { message })).body
  const sourcesOf = ({ data }: { data: { sources: { source: string }[] } }) => data.sources.map(({ source }) => source)

  it.each([
    ['How do I reset the kettle in version 1.0?', 'the lid', 'kettle-1.md'],
    ['How do I reset the kettle (v2.1)?', 'the handle', 'kettle-2.md'],
  ])('are those for the version that is named: %s', async (message, press, source) => {
    const body = await ask(message)
    expect(body.reply).toContain(press)
    expect(sourcesOf(body)).toEqual([source])
  })

  it('hold nothing that the reply does not say', async () => {
    const body = await ask('How much does the jar of the blender hold?')
    expect(body.reply).toContain('two litres')
    expect(sourcesOf(body)).toEqual(['blender.md'])
    expect(body.data.sub_tasks[0]).toMatchObject({ answer: body.reply, sources: body.data.sources })
  })

  it('hold no document that was deleted, which the list shows as such', async () => {
    const documents = '/api/v1/knowledge/documents'
    const [listed] = (await test.call('GET', `${documents}?q=toaster.md`)).body.items
    expect(sourcesOf(await ask('How many slots has the toaster?'))).toEqual(['toaster.md'])
    await test.call('DELETE', `${documents}/${listed.doc_id}`)
    expect((await test.call('GET', `${documents}?status=active`)).body).toMatchObject({ total: 3 })
    expect((await test.call('GET', `${documents}?q=toaster.md`)).body.items).toMatchObject([
      { doc_id: listed.doc_id, status: 'deleted', current_version: null, chunk_count: 0 },
    ])
    const after = await ask('How many slots has the toaster?')
    const shown = [...sourcesOf(after), ...after.data.suggestions.map(({ source }: { source: string }) => source)]
    expect(shown).not.toContain('toaster.md')
    expect(after.reply).not.toContain('two slots')
  })
})
