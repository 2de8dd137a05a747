import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { detectLanguage } from '../../src/language/languages.ts'

/** Documents of a help centre, customers' questions about them and what a right reply holds. */
export interface HelpCentre {
  name: string
  folder: string
  language: 'en' | 'zh'
  /** Questions about other subjects in the same language; undefined: there are none. */
  foreign: string | undefined
}

export interface HelpCentres {
  /** The program that asks and judges, as it came with the sets. */
  scorer: string
  sets: HelpCentre[]
}

/** The folder with `score.mjs` is FOLDER or lies in it; questions of other subjects are looked for around it. */
export function findHelpCentres(root: string, foreign: readonly string[]): HelpCentres {
  const home = [root, ...subfolders(root)].find((folder) => existsSync(join(folder, 'score.mjs')))
  if (!home) throw new Error(`No score.mjs in ${root} or in a folder of it`)
  const questions = foreign.length > 0 ? foreign : questionFiles([...subfolders(join(home, '..')), ...subfolders(root)])
  const folders = subfolders(home).filter((folder) => existsSync(join(folder, 'docs')))
  const sets = folders.map((folder) => {
    const language = languageOf(join(folder, 'questions.jsonl'))
    const others = questions.filter((file) => languageOf(file) === language)
    return { name: folder.slice(home.length + 1), folder, language, foreign: others[0] }
  })
  return { scorer: join(home, 'score.mjs'), sets }
}

function questionFiles(folders: readonly string[]): string[] {
  return folders.map((folder) => join(folder, 'queries.jsonl')).filter(existsSync)
}

function languageOf(file: string): 'en' | 'zh' {
  const rows = readFileSync(file, 'utf8').split('\n', 50)
  const texts = rows.filter((row) => row.trim() !== '').map((row) => JSON.parse(row))
  return detectLanguage(texts.map(({ question, text }) => question ?? text).join('\n'), 5_000) === 'zh' ? 'zh' : 'en'
}

function subfolders(root: string): string[] {
  const paths = readdirSync(root).map((name) => join(root, name))
  return paths.filter((path) => statSync(path).isDirectory())
}
