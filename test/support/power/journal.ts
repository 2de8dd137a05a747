import { readFileSync } from 'node:fs'

/** What a program did to files, brought to the disk, began or acknowledged. */
export interface Entry {
  kind:
    | ('write' | 'truncate' | 'create' | 'folder' | 'rename' | 'remove')
    | ('sync' | 'synced')
    | ('began' | 'acknowledged')
  /** Of the file, or of what was begun: a name in the ledger. */
  path: string
  atMs: number
  /** Bytes of data that follow. */
  length: number
  offset?: number
  size?: number
  to?: string
  /** Of one bringing to the disk, or of one piece of work. */
  id?: string
  /** What the name in the ledger stands for when the work is done. */
  value?: string
}

export type Recorded = Entry & { data: Buffer }

/** Every entry, in their order. */
export function readJournal(path: string): Recorded[] {
  const bytes = readFileSync(path)
  const entries: Recorded[] = []
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4 + bytes.readUInt32LE(at)
    const entry = JSON.parse(bytes.toString('utf8', at + 4, start)) as Entry
    at = start + entry.length
    entries.push({ ...entry, data: bytes.subarray(start, at) })
  }
  return entries
}
