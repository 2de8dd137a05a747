import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a folder of data sets holds, told by the files in it. */
export interface DataSets {
  /** Folders with docs.jsonl, queries.jsonl and qrels.tsv. */
  questions: string[]
  /** Folders with score.mjs and, in folders of their own, documents and customers' questions about them. */
  helpCentres: string[]
  /** Folders with orders.jsonl. */
  orders: string[]
  /** Files of customer requests. */
  requests: string[]
  /** Files of tickets with their true groups. */
  tickets: string[]
}

export function findDataSets(root: string | undefined): DataSets {
  const folders = root ? [root, ...subfolders(root)] : []
  const holding = (...names: string[]) =>
    folders.filter((folder) => names.every((name) => existsSync(join(folder, name))))
  return {
    questions: holding('docs.jsonl', 'queries.jsonl', 'qrels.tsv'),
    helpCentres: holding('score.mjs'),
    orders: holding('orders.jsonl'),
    requests: holding('user_requests.jsonl').map((folder) => join(folder, 'user_requests.jsonl')),
    tickets: folders.flatMap((folder) => filesIn(folder).filter(hasTrueGroups)),
  }
}

function subfolders(root: string): string[] {
  return readdirSync(root)
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isDirectory())
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
}

function hasTrueGroups(file: string): boolean {
  return (readFileSync(file, 'utf8').split('\n', 1)[0] ?? '').includes('"gold_cluster"')
}
