import type { FastifyReply } from 'fastify'
import pLimit from 'p-limit'
import { toPublic } from '../../../http/error-handler.ts'
import { checkedByHandler, readForms } from '../../../http/multipart.ts'
import { errors, eventStream } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../../http/sse.ts'
import { asyncChannel } from '../../../kernel/async-channel.ts'
import type { Log } from '../../../kernel/log.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { IngestBatchBody, IngestBatchForm, ingestBatchEvents, MAX_BATCH_FILES } from '../schemas.ts'
import type { Knowledge } from '../service.ts'
import { type BatchResult, summaryOf } from './batch.ts'
import { toIngestRequests } from './form.ts'
import type { IngestRequest } from './ingest.ts'

const MEGABYTE = 1_048_576

export function ingestBatchRoutes(
  app: App,
  { knowledge, maxUploadMb }: { knowledge: Knowledge; maxUploadMb: number },
): void {
  const limits = { maxFiles: MAX_BATCH_FILES, maxBytes: maxUploadMb * MEGABYTE }
  const shared = {
    tags: ['knowledge'],
    consumes: ['multipart/form-data'],
    body: IngestBatchForm,
  }
  app.post(
    '/api/v1/knowledge/ingest/batch',
    {
      schema: {
        summary: 'Upload several documents',
        description:
          `A part \`file\` for each, up to ${MAX_BATCH_FILES} and ${maxUploadMb} MiB together; the other fields hold for all. A file ` +
          'that cannot be read is `failed` and leaves the others alone. Ends early when the caller leaves; sent again, files ' +
          'that are in are `unchanged`.',
        ...shared,
        response: { 200: IngestBatchBody, ...errors(400, 401, 413, 415, 422, 503) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request, reply) => {
      const requests = toIngestRequests(await readForms(request, limits))
      return present(await knowledge.ingestBatch(requests, clientSignal(reply as FastifyReply)))
    },
  )

  app.post(
    '/api/v1/knowledge/ingest/batch/stream',
    {
      schema: {
        summary: 'Upload several documents and see each as it is done',
        description:
          'The same as `/knowledge/ingest/batch` as server-sent events: `progress` with each file’s result, then `done` with ' +
          'all of them, or `error`.',
        ...shared,
        ...eventStream(ingestBatchEvents),
        response: { 200: { type: 'string', description: 'text/event-stream' }, ...errors(401, 413, 415, 422) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request, reply) => {
      const requests = toIngestRequests(await readForms(request, limits))
      const signal = clientSignal(reply as FastifyReply)
      await sendEvents(reply as FastifyReply, followed(knowledge, requests, signal, request.log))
      return reply
    },
  )
}

function present(results: readonly BatchResult[]) {
  return toSnakeCase({ ...summaryOf(results), results })
}

async function* followed(
  knowledge: Knowledge,
  requests: readonly IngestRequest[],
  signal: AbortSignal,
  log: Log<'error'>,
): AsyncGenerator<SseEvent> {
  const oneByOne = pLimit(1)
  let done = 0
  try {
    const results = yield* asyncChannel<SseEvent, BatchResult[]>((give) =>
      knowledge.ingestBatch(requests, signal, (result) =>
        oneByOne(() =>
          give({ event: 'progress', data: { done: ++done, total: requests.length, result: toSnakeCase(result) } }),
        ),
      ),
    )
    yield { event: 'done', data: present(results) }
  } catch (error) {
    if (signal.aborted) return
    log.error({ err: error }, 'A batch of files ended with an error')
    yield { event: 'error', data: { message: toPublic(error).message } }
  }
}
