import type { ServerResponse } from 'node:http'
import { anthropicProtocol } from './anthropic.ts'
import { answerChat, pause } from './chat.ts'
import { openAiProtocol } from './openai.ts'
import { asArray, asObject } from './prompt.ts'
import type { Behaviour, RecordedRequest, ScriptedModelOptions } from './script.ts'
import { embeddingsOf, rerankingOf } from './vectors.ts'

/** Answers one recorded request at whichever endpoint it was sent to. */
export async function respond(
  record: RecordedRequest,
  response: ServerResponse,
  gone: AbortSignal,
  next: (record: RecordedRequest) => Behaviour,
  options: ScriptedModelOptions,
): Promise<void> {
  const protocol = record.path.endsWith('/messages') ? anthropicProtocol : openAiProtocol
  if (!keyAccepted(record, options.apiKey)) {
    // Some vendors repeat the key that they refuse; a client must not pass that on.
    const message = `Incorrect API key provided: ${record.headers.authorization ?? record.headers['x-api-key']}`
    return sendJson(response, 401, protocol.errorBody(401, message))
  }
  if (record.path.endsWith('/models')) return sendJson(response, 200, modelList(options.models ?? ['scripted']))
  const behaviour = next(record)
  await pause(behaviour.headerDelayMs, gone)
  if (behaviour.status !== undefined || behaviour.body !== undefined) return sendScripted(response, behaviour, protocol)
  if (/\/(chat\/completions|messages)$/.test(record.path))
    return answerChat(protocol, record, behaviour, response, gone)
  return answerVectors(record, behaviour, response, gone, options)
}

async function answerVectors(
  record: RecordedRequest,
  behaviour: Behaviour,
  response: ServerResponse,
  gone: AbortSignal,
  options: ScriptedModelOptions,
): Promise<void> {
  await pause(behaviour.firstTokenDelayMs, gone)
  if (behaviour.fault?.kind === 'cut') {
    record.outcome = 'cut'
    response.socket?.resetAndDestroy()
  } else if (behaviour.fault?.kind === 'hang') {
    await new Promise((resolve) => gone.addEventListener('abort', resolve, { once: true }))
  } else if (record.path.endsWith('/embeddings')) {
    sendEmbeddings(record, response, options.dimensions ?? 64)
  } else if (record.path.endsWith('/rerank')) {
    sendReranking(record, response, options.rerankDialect)
  } else {
    sendJson(response, 404, { error: { message: `No such endpoint: ${record.path}` } })
  }
}

function sendEmbeddings(record: RecordedRequest, response: ServerResponse, dimensions: number): void {
  const { input } = asObject(record.body)
  const blank = asArray(input)
    .concat(typeof input === 'string' ? [input] : [])
    .some((text) => text === '')
  if (blank) sendJson(response, 400, { error: { message: 'input cannot be an empty string' } })
  else sendJson(response, 200, embeddingsOf(record.body, dimensions))
}

function sendReranking(record: RecordedRequest, response: ServerResponse, dialect: 'cohere' | 'tei' | undefined): void {
  const spoken = 'texts' in asObject(record.body) ? 'tei' : 'cohere'
  if (dialect && dialect !== spoken) sendJson(response, 422, { error: 'missing field' })
  else sendJson(response, 200, rerankingOf(record.body))
}

function sendScripted(
  response: ServerResponse,
  behaviour: Behaviour,
  protocol: { errorBody(status: number, message: string): object },
): void {
  const status = behaviour.status ?? 200
  const text = behaviour.body ?? JSON.stringify(protocol.errorBody(status, `Scripted status ${status}`))
  const retryAfter = behaviour.retryAfterSeconds
  response.writeHead(status, {
    'content-type': behaviour.contentType ?? 'application/json',
    ...behaviour.headers,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  })
  response.end(text)
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function modelList(models: readonly string[]): object {
  return {
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'scripted' })),
  }
}

function keyAccepted({ headers }: RecordedRequest, apiKey: string | undefined): boolean {
  return apiKey === undefined || headers.authorization === `Bearer ${apiKey}` || headers['x-api-key'] === apiKey
}
