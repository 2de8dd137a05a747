import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

describe('where people can read a document', () => {
  let test: TestApp
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-links-'))
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(async () => {
    await test.close()
    rmSync(folder, { recursive: true })
  })

  const upload = (text: string, name: string, fields: Record<string, string> = {}) =>
    test.upload(text, name, { register: 'true', ...fields })
  const ask = async (message: string) => (await test.call('POST', '/api/v1/chat', { message })).body
  const linkOf = async (message: string) => (await ask(message)).data.sources[0]?.url

  it('is said with its upload, shown with the source and in the text, and may change without its content', async () => {
    const text = '# Parcels\n\nA zebra parcel takes three days.\n'
    await upload(text, 'parcels.md', { url: 'https://help.example/parcels' })
    const body = await ask('How long does a zebra parcel take?')
    expect(body.data.sources[0].url).toBe('https://help.example/parcels')
    expect(body.reply).toContain('Source: Parcels https://help.example/parcels')
    await upload(text, 'parcels.md', { url: 'https://help.example/post' })
    expect(await linkOf('How long does a zebra parcel take?')).toBe('https://help.example/post')
    const recommended = await test.call('POST', '/api/v1/agent/sessions/x/knowledge-recommend', {
      query: 'zebra parcel',
    })
    expect(recommended.body.chunks[0].metadata.url).toBe('https://help.example/post')
  })

  it('is what the document names itself, where the upload says nothing', async () => {
    const front = '---\ntitle: Kettles\nurl: https://help.example/kettles\n---\n\nThe quokka kettle holds two litres.\n'
    await upload(front, 'kettles.md')
    const page =
      '<html><head><link rel="canonical" href="https://help.example/lamps"></head><body><h1>Lamps</h1><p>The okapi lamp has nine watts.</p></body></html>'
    await upload(page, 'lamps.html')
    await upload('---\nurl: /relative\n---\n\n# Chairs\n\nThe ibex chair carries 130 kg.\n', 'chairs.md')
    expect(await linkOf('How much does the quokka kettle hold?')).toBe('https://help.example/kettles')
    expect(await linkOf('How many watts has the okapi lamp?')).toBe('https://help.example/lamps')
    expect(await linkOf('What does the ibex chair carry?')).toBeUndefined()
  })

  it('is below the prefix of a folder, also for files that are there already', async () => {
    writeFileSync(join(folder, 'two words.md'), '# Tables\n\nThe gnu table seats six.\n')
    const update = (body: object) => test.call('POST', '/api/v1/update/incremental', { dir_path: folder, ...body })
    expect((await update({})).body).toMatchObject({ added: 1 })
    expect(await linkOf('How many does the gnu table seat?')).toBeUndefined()
    const again = await update({ url_prefix: 'https://help.example/docs' })
    expect(again).toMatchObject({ status: 200, body: { failed: 0 } })
    expect(await linkOf('How many people does the gnu table seat?')).toBe('https://help.example/docs/two%20words')
    expect((await update({ url_prefix: 'https://help.example/docs' })).body).toMatchObject({ skipped: 1, updated: 0 })
    const file = { file_path: join(folder, 'two words.md'), metadata: { url: '' } }
    expect((await test.call('POST', '/api/v1/update/file', file)).status).toBe(200)
    expect(await linkOf('The gnu table seats how many?')).toBeUndefined()
  })

  it.each(['javascript:alert(1)', '/docs', 'https://ann:secret@help.example'])('is no %s', async (url) => {
    const uploaded = await upload('# X\n\nText.\n', 'x.md', { url })
    expect(uploaded).toMatchObject({ status: 422, body: { detail: 'url: must be an http or https address' } })
    const updated = await test.call('POST', '/api/v1/update/full', { dir_path: folder, url_prefix: url })
    expect(updated).toMatchObject({ status: 422, body: { detail: 'url_prefix: must be an http or https address' } })
  })
})
