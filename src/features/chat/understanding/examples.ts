import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { fold } from '../../../language/fold.ts'
import { INTENTS, type Intent } from '../../../language/understanding.ts'
import type { ConceptList } from './lexicon.ts'

export type ExampleSentence = { intent: Intent; text: string }

/** `fingerprint` changes with any sentence, term or name. */
export type IntentExamples = { sentences: ExampleSentence[]; concepts: ConceptList; fingerprint: string }

const CONCEPTS_FILE = 'concepts.txt'
const MAX_LINE_LENGTH = 500
// Training is linear in the sentences; at this many it takes about two seconds.
const MAX_SENTENCES = 40_000

/**
 * Reads the example files of a directory: `<intent>.txt` and, for additions of one's own, `<intent>.<anything>.txt`, one
 * sentence per line, `#` starts a comment; and the groups of synonyms in `concepts.txt`, `name: term, term, …`.
 *
 * @throws AppError `invalid` naming file and line: an unknown intent, a line over 500 characters, a sentence under two intents.
 */
export async function loadIntentExamples(directory: string): Promise<IntentExamples> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.txt')).sort()
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(directory, name), 'utf8') })),
  )
  const sentences = files.filter(({ name }) => name !== CONCEPTS_FILE).flatMap(readSentences)
  if (sentences.length === 0) throw invalid(`${directory} holds no example sentences`)
  if (sentences.length > MAX_SENTENCES) throw invalid(`${directory} holds more than ${MAX_SENTENCES} sentences`)
  rejectContradictions(sentences)
  const concepts = files.filter(({ name }) => name === CONCEPTS_FILE).flatMap(readConcepts)
  return { sentences, concepts, fingerprint: fingerprintOf(files) }
}

type SourceFile = { name: string; text: string }

function readSentences({ name, text }: SourceFile): ExampleSentence[] {
  const intent = INTENTS.find((known) => known === name.split('.')[0])
  if (intent === undefined) throw invalid(`${name}: the file is named for no intent (${INTENTS.join(', ')})`)
  return contentLines(name, text).map(({ line }) => ({ intent, text: line }))
}

function readConcepts({ name, text }: SourceFile): { name: string; terms: string[] }[] {
  return contentLines(name, text, Number.POSITIVE_INFINITY).map(({ line, number }) => {
    const colon = line.indexOf(':')
    const terms = line
      .slice(colon + 1)
      .split(',')
      .map((term) => term.trim())
      .filter((term) => term !== '')
    if (colon < 1 || terms.length === 0) throw invalid(`${name}:${number}: expected "name: term, term"`)
    return { name: line.slice(0, colon).trim(), terms }
  })
}

function contentLines(file: string, text: string, maxLength = MAX_LINE_LENGTH): { line: string; number: number }[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }))
  const content = lines.filter(({ line }) => line !== '' && !line.startsWith('#'))
  const long = content.find(({ line }) => line.length > maxLength)
  if (long !== undefined) throw invalid(`${file}:${long.number}: longer than ${maxLength} characters`)
  return content
}

function rejectContradictions(sentences: readonly ExampleSentence[]): void {
  const seen = new Map<string, Intent>()
  for (const { intent, text } of sentences) {
    const key = fold(text)
    const other = seen.get(key)
    if (other !== undefined && other !== intent) throw invalid(`"${text}" stands under ${other} and under ${intent}`)
    seen.set(key, intent)
  }
}

function fingerprintOf(files: readonly SourceFile[]): string {
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(`${name}\n${text}\n`)
  return hash.digest('hex').slice(0, 16)
}

function invalid(message: string): AppError {
  return new AppError('invalid', 'intent_examples', `Intent examples: ${message}`)
}
