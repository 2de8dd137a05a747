import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokenizer } from '@huggingface/tokenizers'

/** The ids of a text's tokens with the special ones around them, at most as many as the model takes. */
export type Encode = (text: string) => number[]

const MAX_TOKENS = 512
const WORD_PIECE_MAX_CHARACTERS = 100

/** Reads `tokenizer.json`, or the `vocab.txt` of a BERT model, as they lie beside the model. */
export function openTokenizer(folder: string, Class: typeof Tokenizer): Encode {
  const config = readJson(join(folder, 'tokenizer_config.json')) ?? {}
  const whole = readJson(join(folder, 'tokenizer.json'))
  const tokenizer = new Class(whole ?? wordPiece(join(folder, 'vocab.txt'), config), config)
  const limit = tokenLimit(folder, config)
  return (text) => {
    const { ids } = tokenizer.encode(text)
    // The last token closes the text: it stays when the text is cut.
    return ids.length <= limit ? ids : [...ids.slice(0, limit - 1), ids.at(-1)!]
  }
}

function tokenLimit(folder: string, { model_max_length: length }: Record<string, unknown>): number {
  const { max_position_embeddings: positions } = readJson(join(folder, 'config.json')) ?? {}
  const known = [length, positions].filter((limit) => typeof limit === 'number' && limit > 1) as number[]
  return Math.min(MAX_TOKENS, ...known)
}

/** BERT's tokenizer (Devlin et al., 2019) in the form of a `tokenizer.json`. */
function wordPiece(vocabPath: string, { do_lower_case: lowercase = true }: Record<string, unknown>): object {
  const lines = readFileSync(vocabPath, 'utf8').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const vocab = Object.fromEntries(lines.map((token, id) => [token, id]))
  for (const token of ['[UNK]', '[CLS]', '[SEP]']) {
    if (vocab[token] === undefined) throw new Error(`vocab.txt has no ${token}`)
  }
  const special = ['[UNK]', '[CLS]', '[SEP]', '[PAD]', '[MASK]'].filter((content) => vocab[content] !== undefined)
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  return {
    added_tokens: special.map((content) => ({ id: vocab[content], content, ...flags })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', cls: ['[CLS]', vocab['[CLS]']], sep: ['[SEP]', vocab['[SEP]']] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      vocab,
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: WORD_PIECE_MAX_CHARACTERS,
    },
  }
}

export function readJson(path: string): Record<string, unknown> | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : undefined
}
