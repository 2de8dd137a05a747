import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { AppError } from '../kernel/errors.ts'
import { type Analyser, createAnalyser } from '../language/words/analyser.ts'

/**
 * The analyser with the words that the user's files add.
 *
 * @throws an error that starts with `Wrong settings` and names the setting, the file and each line that is wrong.
 */
export function openAnalyser(config: Pick<Config, 'USER_DICTIONARY' | 'SYNONYMS_FILE'>): {
  analyser: Analyser
  userDictionary: string
} {
  const userDictionary = readText('USER_DICTIONARY', config.USER_DICTIONARY)
  const synonyms = readText('SYNONYMS_FILE', config.SYNONYMS_FILE)
  try {
    return { analyser: createAnalyser({ userDictionary, synonyms }), userDictionary }
  } catch (error) {
    if (error instanceof AppError) throw wrong('SYNONYMS_FILE', config.SYNONYMS_FILE, error.message)
    throw error
  }
}

function readText(setting: string, path: string): string {
  if (path === '') return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    const isCoding = error instanceof TypeError
    throw wrong(setting, path, isCoding ? 'is not UTF-8 text' : `cannot be read (${codeOf(error)})`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function wrong(setting: string, path: string, reason: string): Error {
  return new Error(`Wrong settings: ${setting} ${path} ${reason}`)
}
