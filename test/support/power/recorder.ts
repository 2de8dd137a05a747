import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { threadId } from 'node:worker_threads'
import type { Entry } from './journal.ts'

/**
 * Preloaded into a program (`node --import`), it writes down everything that the program does to the files below
 * RECORDED_FOLDER, and what it brings to the disk, into JOURNAL. Every thread appends to the same file, an entry at a
 * time, so their order there is one that could have been. Linux: it asks the system which file a descriptor is.
 */
const { RECORDED_FOLDER: folder = '', JOURNAL: journalPath = '' } = process.env
const { openSync, writeSync, readlinkSync, ftruncateSync, truncateSync, writeFileSync, mkdirSync } = fs
const { renameSync, unlinkSync, rmdirSync, fsyncSync, fdatasyncSync, existsSync } = fs
const journal = openSync(journalPath, 'a')
let syncs = 0

/** Appends an entry of what was done, or of what the program has begun or acknowledged. */
export function note(entry: Omit<Entry, 'atMs' | 'length'>, data: Uint8Array = new Uint8Array()): void {
  const [seconds, nanoseconds] = process.hrtime()
  const text = Buffer.from(JSON.stringify({ ...entry, atMs: seconds * 1_000 + nanoseconds / 1e6, length: data.length }))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(text.length)
  writeSync(journal, Buffer.concat([size, text, data]))
}

const isOurs = (path: string): boolean => path === folder || path.startsWith(`${folder}/`)
const relative = (path: string): string => path.slice(folder.length + 1)

/** The path of an open file below the folder; null for others. */
function pathOf(descriptor: number): string | null {
  try {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`)
    return isOurs(path) && !path.endsWith(' (deleted)') ? relative(path) : null
  } catch {
    return null
  }
}

/** Calls `work` for a path below the folder, with what it is called there. */
function noted(path: unknown, work: (name: string) => void): void {
  if (typeof path === 'string' && isOurs(path)) work(relative(path))
}

type Anything = (...given: never[]) => unknown

function replace<Name extends keyof typeof fs>(name: Name, make: (original: Anything) => Anything): void {
  Object.assign(fs, { [name]: make(fs[name] as Anything) })
}

replace(
  'openSync',
  () =>
    ((path: string, flags: string | number = 'r', ...rest: [number]) => {
      const bits = typeof flags === 'number' ? flags : 0
      const creates = (bits & fs.constants.O_CREAT) !== 0 && !existsSync(path)
      const descriptor = openSync(path, flags, ...rest)
      noted(path, (name) => {
        if (creates) note({ kind: 'create', path: name })
        if ((bits & fs.constants.O_TRUNC) !== 0) note({ kind: 'truncate', path: name, size: 0 })
      })
      return descriptor
    }) as Anything,
)
replace(
  'writeSync',
  () =>
    ((descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number) => {
      const written = writeSync(descriptor, bytes, offset, length, position)
      const path = pathOf(descriptor)
      if (path === null) return written
      // Copied: other threads may not see what this one has written over meanwhile.
      note({ kind: 'write', path, offset: position }, Buffer.from(bytes.subarray(offset, offset + written)))
      return written
    }) as Anything,
)
replace(
  'ftruncateSync',
  () =>
    ((descriptor: number, size = 0) => {
      ftruncateSync(descriptor, size)
      const path = pathOf(descriptor)
      if (path !== null) note({ kind: 'truncate', path, size })
    }) as Anything,
)
replace(
  'truncateSync',
  () =>
    ((path: string, size = 0) => {
      truncateSync(path, size)
      noted(path, (name) => note({ kind: 'truncate', path: name, size }))
    }) as Anything,
)
replace(
  'writeFileSync',
  () =>
    ((path: string, content: string | Uint8Array, ...rest: [object]) => {
      const creates = typeof path === 'string' && !existsSync(path)
      writeFileSync(path, content, ...rest)
      noted(path, (name) => {
        if (creates) note({ kind: 'create', path: name })
        note({ kind: 'truncate', path: name, size: 0 })
        if (content.length > 0) note({ kind: 'write', path: name, offset: 0 }, Buffer.from(content))
      })
    }) as Anything,
)
replace(
  'mkdirSync',
  () =>
    ((path: string, ...rest: [object]) => {
      const made = mkdirSync(path, ...rest)
      noted(path, (name) => note({ kind: 'folder', path: name }))
      return made
    }) as Anything,
)
replace(
  'renameSync',
  () =>
    ((from: string, to: string) => {
      renameSync(from, to)
      noted(from, (path) => note({ kind: 'rename', path, to: relative(to) }))
    }) as Anything,
)
for (const [name, remove] of [
  ['unlinkSync', unlinkSync],
  ['rmdirSync', rmdirSync],
] as const) {
  replace(
    name,
    () =>
      ((path: string) => {
        remove(path)
        noted(path, (removed) => note({ kind: 'remove', path: removed }))
      }) as Anything,
  )
}
for (const [name, sync] of [
  ['fsyncSync', fsyncSync],
  ['fdatasyncSync', fdatasyncSync],
] as const) {
  replace(
    name,
    () =>
      ((descriptor: number) => {
        const path = pathOf(descriptor)
        const id = `${threadId}-${syncs++}`
        if (path !== null) note({ kind: 'sync', path, id })
        sync(descriptor)
        if (path !== null) note({ kind: 'synced', path, id })
      }) as Anything,
  )
}
syncBuiltinESMExports()
