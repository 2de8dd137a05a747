import { createBuiltInEmbedder } from '../ai/embedder/built-in.ts'
import { openOnnxEmbedder } from '../ai/embedder/onnx/embedder.ts'
import { connectOpenAiEmbedder, createOpenAiEmbedder } from '../ai/embedder/openai.ts'
import type { Embedder } from '../ai/embedder/port.ts'
import type { Config } from '../config.ts'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Analyser } from '../language/words/analyser.ts'
import type { Breaker } from '../platform/breaker.ts'

const PROBE_TIMEOUT_MS = 10_000

/**
 * The embedders that this process can call, the configured one first. The length of a remote model's vectors is asked
 * of the endpoint; when that is down at start, what is served stays served and the start goes on.
 *
 * @throws an error that starts with `Wrong settings` for a model folder that cannot be used.
 */
export async function createEmbedders(options: {
  config: Config
  analyser: Analyser
  breaker: Breaker
  /** The embedder that the stored vectors were made with. */
  served: { embedderId: string; dimensions: number } | undefined
  log: Log
}): Promise<[Embedder, ...Embedder[]]> {
  const { config, analyser, breaker, served, log } = options
  const local = createBuiltInEmbedder({ analyser })
  if (config.EMBEDDING_MODEL_DIR !== '') return [await openOwnModel(config), local]
  if (config.EMBEDDING_BASE_URL === '') return [local]
  const remote = {
    baseUrl: config.EMBEDDING_BASE_URL,
    apiKey: config.EMBEDDING_API_KEY,
    model: config.EMBEDDING_MODEL,
    breaker,
    onRefused: (detail: string) => log.warn({ detail }, 'The embeddings endpoint refused a text'),
  }
  try {
    return [await connectOpenAiEmbedder(remote, AbortSignal.timeout(PROBE_TIMEOUT_MS)), local]
  } catch (error) {
    log.warn({ err: error }, 'The embeddings endpoint cannot be reached; restart when it is back to embed with it')
    const known = served && createOpenAiEmbedder({ ...remote, dimensions: served.dimensions })
    return known && known.id === served.embedderId ? [known, local] : [local]
  }
}

async function openOwnModel({ EMBEDDING_MODEL_DIR: folder, EMBEDDING_BASE_URL: url }: Config): Promise<Embedder> {
  const wrong = (reason: string): Error => new Error(`Wrong settings: EMBEDDING_MODEL_DIR ${reason}`)
  if (url !== '') throw wrong('and EMBEDDING_BASE_URL are both set; leave one of them empty')
  try {
    return await openOnnxEmbedder(folder)
  } catch (error) {
    throw error instanceof AppError ? wrong(`${folder}: ${error.message}`) : error
  }
}
