import { fileURLToPath } from 'node:url'
import { type IntentClassifier, trainIntentClassifier } from './classifier.ts'
import { loadIntentExamples } from './examples.ts'
import { createUnderstand, type Understand } from './understanding.ts'

/** The example files that come with the project. */
export const DEFAULT_EXAMPLES_DIRECTORY = fileURLToPath(new URL('../intents', import.meta.url))

// Tests build the application over and over from the same files; two sets at once is one more than anybody needs.
const MAX_TRAINED = 2
const trained = new Map<string, IntentClassifier>()

/**
 * Reads the example files of a directory, learns from them and returns the reader of messages. The same files are learnt once
 * per process.
 *
 * @throws AppError `invalid` naming file and line when an example file is malformed
 */
export async function loadUnderstand(directory: string = DEFAULT_EXAMPLES_DIRECTORY): Promise<Understand> {
  const examples = await loadIntentExamples(directory)
  const classifier = trained.get(examples.fingerprint) ?? trainIntentClassifier(examples)
  if (trained.size >= MAX_TRAINED && !trained.has(examples.fingerprint)) trained.clear()
  trained.set(examples.fingerprint, classifier)
  return createUnderstand(classifier)
}
