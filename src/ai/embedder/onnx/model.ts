import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-web'
import { type Pooling, poolVectors } from './pooling.ts'
import { type Encode, openTokenizer, readJson } from './tokenizer.ts'

export interface Model {
  /** Changes with the weights, the tokenizer and the pooling. */
  fingerprint: string
  dimensions: number
  /** Vectors of length 1, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx']
const CONFIGURATION = /^(?:tokenizer|tokenizer_config|config)\.json$|^vocab\.txt$/

type Runtime = typeof import('onnxruntime-web')

/**
 * Loads a sentence embedding model from a folder as model hubs lay it out: `model.onnx` (there or in `onnx/`), with
 * `tokenizer.json` or `vocab.txt` beside it and, where the model needs it, `1_Pooling/config.json`.
 *
 * @throws an error that says what is missing.
 */
export async function loadModel(folder: string): Promise<Model> {
  const path = MODEL_FILES.map((name) => join(folder, name)).find(existsSync)
  if (!path) throw new Error(`${folder} holds none of ${MODEL_FILES.join(', ')}`)
  const { runtime, Tokenizer } = await loadLibraries()
  runtime.env.wasm.numThreads = 1
  const weights = readFileSync(path)
  const pooling = readPooling(folder)
  const session = await runtime.InferenceSession.create(weights)
  const embed = embedWith(runtime, session, openTokenizer(folder, Tokenizer), pooling)
  const [probe] = await embed(['dimension'])
  return { fingerprint: fingerprintOf(folder, weights, pooling), dimensions: probe?.length ?? 0, embed }
}

async function loadLibraries() {
  try {
    const [runtime, { Tokenizer }] = await Promise.all([import('onnxruntime-web'), import('@huggingface/tokenizers')])
    return { runtime, Tokenizer }
  } catch (error) {
    const hint = 'npm start installs them, and so does npm ci --ignore-scripts --include=peer'
    throw new Error(`it needs onnxruntime-web and @huggingface/tokenizers: ${hint}`, { cause: error })
  }
}

/** The pooling of Sentence Transformers; most models take the mean. */
function readPooling(folder: string): Pooling {
  const config = readJson(join(folder, '1_Pooling/config.json'))
  return config?.pooling_mode_cls_token === true ? 'first' : 'mean'
}

function embedWith(runtime: Runtime, session: InferenceSession, encode: Encode, pooling: Pooling): Model['embed'] {
  return async (texts) => {
    const encoded = texts.map(encode)
    const length = Math.max(1, ...encoded.map((ids) => ids.length))
    const ids = new BigInt64Array(texts.length * length)
    const mask = new BigInt64Array(texts.length * length)
    for (const [text, tokens] of encoded.entries()) {
      for (const [i, id] of tokens.entries()) {
        ids[text * length + i] = BigInt(id)
        mask[text * length + i] = 1n
      }
    }
    const inputs: Record<string, BigInt64Array> = {
      input_ids: ids,
      attention_mask: mask,
      token_type_ids: new BigInt64Array(ids.length),
    }
    const feeds: Record<string, Tensor> = {}
    for (const name of session.inputNames) {
      const data = inputs[name]
      if (!data) throw new Error(`The model wants the input ${name}, which no sentence embedding model has`)
      feeds[name] = new runtime.Tensor('int64', data, [texts.length, length])
    }
    return poolVectors(await outputOf(session, feeds), mask, pooling)
  }
}

async function outputOf(
  session: InferenceSession,
  feeds: Record<string, Tensor>,
): Promise<{ data: Float32Array; dims: readonly number[] }> {
  const name = session.outputNames.find((output) => output === 'sentence_embedding') ?? session.outputNames[0] ?? ''
  const { [name]: output } = await session.run(feeds)
  if (!(output?.data instanceof Float32Array) || output.dims.length < 2 || output.dims.length > 3) {
    throw new Error(`The model's output ${name} is no vectors of tokens or texts`)
  }
  return { data: output.data, dims: output.dims }
}

function fingerprintOf(folder: string, weights: Uint8Array, pooling: Pooling): string {
  const hash = createHash('sha256').update(weights).update(pooling)
  for (const name of readdirSync(folder).sort()) {
    if (CONFIGURATION.test(name)) hash.update(name).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
