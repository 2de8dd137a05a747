import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from './client.ts'
import * as shapes from './shapes.ts'

/** Documents in, versions, quality, canary, folders, tickets, parameters, evaluation. */

const DOCUMENT = '/knowledge/documents/{doc_id}'
const GUIDE = '# Warranty\n\n## How long is the warranty of a lamp?\n\nEvery lamp has a warranty of two years.\n'
const guide = { name: 'warranty.md', content: GUIDE }

export async function ingests({ ask, expectThat }: Client): Promise<void> {
  await ask('statistics of nothing', 'GET', '/knowledge/stats', { is: shapes.STATS })
  await ask('a file alone', 'POST', '/knowledge/ingest', { form: { fields: {}, file: guide }, is: shapes.INGESTED })
  const fields = {
    product_category: 'chairs',
    applicable_version: '2',
    knowledge_type: 'faq',
    published_at: '2026-01-02T03:04:05Z',
    register: 'true',
    validate_quality: 'true',
  }
  const chairs = (content: string) => ({ fields, file: { name: 'chairs.md', content } })
  const first = await ask('a file with every field', 'POST', '/knowledge/ingest', {
    form: chairs('Q: Is the chair soft?\nA: The chair is soft as moss.'),
    is: shapes.INGESTED,
  })
  const path = { doc_id: first.body.doc_id }
  await ask('its next version', 'POST', '/knowledge/ingest', {
    form: chairs('Q: Is the chair soft?\nA: The chair is hard as stone.'),
    is: shapes.INGESTED,
  })
  for (const knowledge_type of ['faq', 'policy', 'doc', 'tutorial', 'ticket']) {
    const file = { name: `${knowledge_type}.txt`, content: `A text about the ${knowledge_type} of shelves.` }
    const form = { fields: { knowledge_type, register: 'true' }, file }
    await ask(`knowledge_type ${knowledge_type}`, 'POST', '/knowledge/ingest', { form, is: shapes.INGESTED })
  }
  await ask('no file', 'POST', '/knowledge/ingest', { form: { fields }, status: 422 })
  await ask('an unknown knowledge_type', 'POST', '/knowledge/ingest', {
    form: { fields: { knowledge_type: 'rumour' }, file: guide },
    status: 422,
  })
  const stats = await ask('statistics', 'GET', '/knowledge/stats', { is: shapes.STATS })
  expectThat('there are passages', stats.body.total_chunks > 0, stats.body)

  const detail = await ask('a document', 'GET', DOCUMENT, { path, is: shapes.DOCUMENT })
  expectThat('its version', detail.body.current_version === 'v2', detail.body)
  const statuses = detail.body.versions
    ?.map(({ version, status }: Record<string, string>) => `${version} ${status}`)
    .sort()
  expectThat('its versions', String(statuses) === 'v1 superseded,v2 active', detail.body)
  const none = await ask('a document that is not there', 'GET', DOCUMENT, { path: { doc_id: 'no-such' } })
  expectThat('not_found with 200', none.body.status === 'not_found', none.body)

  await ask('roll back', 'POST', `${DOCUMENT}/rollback`, { path, body: { target_version: 'v1' } })
  const back = await ask('the document then', 'GET', DOCUMENT, { path, is: { current_version: 'v1' } })
  expectThat('rolled back', back.body.current_version === 'v1', back.body)
  await ask('roll back to no version', 'POST', `${DOCUMENT}/rollback`, {
    path,
    body: { target_version: 'v9' },
    status: 404,
  })
  await ask('roll back no document', 'POST', `${DOCUMENT}/rollback`, {
    path: { doc_id: 'no-such' },
    body: { target_version: 'v1' },
    status: 404,
  })
  await lists({ ask })
  await qualityAndCanary({ ask }, path)
  await ask('delete', 'DELETE', DOCUMENT, { path, is: { ...(shapes.DELETED as object), success: 'bool' } })
  await ask('delete again', 'DELETE', DOCUMENT, { path })
}

async function lists({ ask }: Pick<Client, 'ask'>): Promise<void> {
  for (const query of ['', '?limit=1', '?limit=200&offset=0', '?limit=2&offset=1']) {
    await ask(`documents${query}`, 'GET', '/knowledge/documents', { query })
  }
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?offset=-1']) {
    await ask(`documents${query}`, 'GET', '/knowledge/documents', { query, status: 422 })
  }
}

async function qualityAndCanary({ ask }: Pick<Client, 'ask'>, { doc_id }: { doc_id: string }): Promise<void> {
  for (const body of [{}, { doc_id }, { source: 'warranty.md' }]) {
    await ask(`quality of ${Object.keys(body)}`, 'POST', '/knowledge/quality/check', { body, is: 'object' })
  }
  const canary = { doc_id, version: 'v2', sample_queries: ['Is the chair soft?'] }
  await ask('into the canary', 'POST', '/knowledge/canary/ingest', { body: canary })
  await ask('compare with the canary', 'POST', '/knowledge/canary/compare', { body: canary })
  await ask('no document into the canary', 'POST', '/knowledge/canary/ingest', {
    body: { ...canary, doc_id: 'no-such' },
    status: 404,
  })
}

export async function updates({ ask, expectThat }: Client, folder: string): Promise<void> {
  const before = await ask('status before any update', 'GET', '/update/status', {
    is: { last_update: 'object', message: 'string' },
  })
  expectThat('it is empty', Object.keys(before.body.last_update).length === 0, before.body)
  await writeFile(join(folder, 'sofas.md'), '# Sofas\n\nThe saffron sofa may be returned.')
  await writeFile(join(folder, 'beds.md'), '# Beds\n\nThe birch bed comes in two parts.')
  await writeFile(join(folder, 'notes.txt'), 'Notes about nothing.')
  const body = { dir_path: folder, extensions: ['.md'] }
  const is = shapes.UPDATED
  const full = await ask('a full update', 'POST', '/update/full', { body, is })
  expectThat('two were added', full.body.mode === 'full' && full.body.added === 2, full.body)
  const again = await ask('a full update again', 'POST', '/update/full', { body, is })
  expectThat('two were skipped', again.body.skipped === 2, again.body)
  await writeFile(join(folder, 'beds.md'), '# Beds\n\nThe birch bed comes in three parts.')
  const incremental = await ask('an incremental update', 'POST', '/update/incremental', { body, is })
  expectThat(
    'one was updated',
    incremental.body.mode === 'incremental' && incremental.body.updated === 1,
    incremental.body,
  )
  const file_path = join(folder, 'notes.txt')
  await ask('one file', 'POST', '/update/file', { body: { file_path, metadata: { product_category: 'notes' } } })
  await ask('one file without metadata', 'POST', '/update/file', { body: { file_path } })
  await ask('status after updates', 'GET', '/update/status', { is: shapes.UPDATE_STATUS })
  const missing = join(folder, 'no-such')
  await ask('a folder that is not there', 'POST', '/update/full', { body: { dir_path: missing }, status: 400 })
  await ask('a file that is not there', 'POST', '/update/file', { body: { file_path: missing }, status: 400 })
  await ask('no folder', 'POST', '/update/full', { body: {}, status: 422 })
}

export async function mining({ ask, expectThat }: Client): Promise<void> {
  const empty = await ask('before mining', 'GET', '/mining/status', { is: shapes.MINED })
  expectThat('no tickets', empty.body.total_tickets === 0, empty.body)
  const body = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-12-31T00:00:00+00:00', status: 'resolved' }
  await ask('mine', 'POST', '/mining/tickets', { body, is: shapes.MINED })
  await ask('mine all', 'POST', '/mining/tickets', { body: {}, is: shapes.MINED })
  await ask('mine without a body', 'POST', '/mining/tickets', { is: shapes.MINED })
  await ask('after mining', 'GET', '/mining/status', { is: shapes.MINED })
}

export async function tuning({ ask, expectThat }: Client): Promise<void> {
  await ask('parameters', 'GET', '/tuner/params')
  const changed = await ask('change one', 'PUT', '/tuner/params', { body: { rerank_top_k: 4 } })
  expectThat('it is changed at once', changed.body.params.rerank_top_k === 4, changed.body)
  await ask('an unknown one', 'PUT', '/tuner/params', { body: { no_such: 1 }, status: 422 })
  await ask('reset', 'POST', '/tuner/reset')
}

export async function evaluation({ ask, expectThat }: Client): Promise<void> {
  await ask('no reports', 'GET', '/evaluation/reports', { is: 'list' })
  const first = await ask('evaluate', 'POST', '/evaluation/run', { body: {}, is: shapes.EVALUATED })
  expectThat('thirty cases', first.body.total_queries === 30, first.body)
  const second = await ask('evaluate with top_k', 'POST', '/evaluation/run', {
    body: { top_k: 3 },
    is: shapes.EVALUATED,
  })
  await ask('evaluate what is not there', 'POST', '/evaluation/run', {
    body: { testset_path: '/no/such' },
    status: 400,
  })
  const { body: reports } = await ask('reports', 'GET', '/evaluation/reports', { is: 'list' })
  expectThat('newest first', reports[0]?.report_id === second.body.report_id, reports)
  const path = { report_id: first.body.report_id }
  await ask('one report', 'GET', '/evaluation/reports/{report_id}', { path, is: shapes.EVALUATED })
  await ask('no such report', 'GET', '/evaluation/reports/{report_id}', { path: { report_id: 'no-such' }, status: 404 })
}
