import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../../contract/support/random.ts'
import type { Recorded } from './journal.ts'

/** A change of a file's bytes or size that is not on the disk for certain. */
interface Change {
  number: number
  offset: number
  data: Buffer | null
  size: number
}
interface File {
  isFolder: boolean
  /** What is on the disk for certain. */
  content: Buffer
  pending: Change[]
}
interface NameChange {
  number: number
  folders: string[]
  apply(names: Map<string, File>): void
}

/** Of everything that is not on the disk for certain, which part a power cut leaves there. */
export type Cut = 'nothing' | 'everything' | 'some' | 'pieces'

/**
 * A disk that keeps what a program brought to it, and of everything else whatever it likes: some writes and not others,
 * pieces of 512 or 4096 bytes of one, a file without its name, a name without its file. The names of a folder are kept
 * when the folder was brought to the disk, a file's bytes when the file was.
 */
export function createDisk(initial: string) {
  const names = new Map<string, File>()
  const live = new Map<string, File>()
  let pendingNames: NameChange[] = []
  const begun = new Map<string, { number: number; file: File | undefined; path: string }>()
  for (const entry of readdirSync(initial, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const content = entry.isFile() ? readFileSync(path) : Buffer.alloc(0)
    names.set(path.slice(initial.length + 1), { isFolder: entry.isDirectory(), content, pending: [] })
  }
  for (const [path, file] of names) live.set(path, file)

  const parentOf = (path: string): string => (dirname(path) === '.' ? '' : dirname(path))
  const addName = (number: number, path: string, file: File): void => {
    live.set(path, file)
    pendingNames.push({ number, folders: [parentOf(path)], apply: (all) => void all.set(path, file) })
  }
  const change = (path: string, what: Change): void => void live.get(path)?.pending.push(what)

  /** Everything that this disk holds for certain of a file or folder, as of the moment at which that was asked for. */
  function finish(id: string): void {
    const sync = begun.get(id)
    if (!sync) return
    begun.delete(id)
    const isDone = ({ number }: { number: number }): boolean => number < sync.number
    if (sync.file && !sync.file.isFolder) {
      const done = sync.file.pending.filter(isDone)
      sync.file.content = settled(sync.file.content, done)
      sync.file.pending = sync.file.pending.filter((each) => !isDone(each))
      return
    }
    const isHere = (each: NameChange): boolean => isDone(each) && each.folders.includes(sync.path)
    for (const each of pendingNames.filter(isHere)) each.apply(names)
    pendingNames = pendingNames.filter((each) => !isHere(each))
  }

  return {
    /** What the program did next. */
    take({ kind, path, data, offset = 0, size = 0, to = '', id = '' }: Recorded, number: number): void {
      if (kind === 'write') change(path, { number, offset, data, size: 0 })
      if (kind === 'truncate') change(path, { number, offset: 0, data: null, size })
      if (kind === 'create') addName(number, path, { isFolder: false, content: Buffer.alloc(0), pending: [] })
      if (kind === 'folder') addName(number, path, { isFolder: true, content: Buffer.alloc(0), pending: [] })
      if (kind === 'sync') begun.set(id, { number, file: live.get(path), path })
      if (kind === 'synced') finish(id)
      if (kind === 'remove') {
        live.delete(path)
        pendingNames.push({ number, folders: [parentOf(path)], apply: (all) => void all.delete(path) })
      }
      const moved = live.get(path)
      if (kind === 'rename' && moved) {
        live.delete(path)
        live.set(to, moved)
        const apply = (all: Map<string, File>): void => {
          all.delete(path)
          all.set(to, moved)
        }
        pendingNames.push({ number, folders: [parentOf(path), parentOf(to)], apply })
      }
    },

    /** Writes what the disk holds after a power cut now into a folder. */
    writeTo(folder: string, random: Random, cut: Cut): void {
      const left = new Map(names)
      for (const each of chosen(pendingNames, random, cut)) each.apply(left)
      for (const [path, { isFolder }] of left)
        if (isFolder) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 })
      for (const [path, { isFolder, content, pending }] of left) {
        if (isFolder) continue
        mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
        const bytes =
          pending.length === 0 ? content : applied(content, chosen(pending, random, cut).flatMap(torn(random, cut)))
        writeFileSync(join(folder, path), bytes, { mode: 0o600 })
      }
    },
  }
}

/** Which of the pending things a cut leaves, in their order. */
function chosen<T>(pending: readonly T[], random: Random, cut: Cut): T[] {
  if (cut === 'nothing') return []
  if (cut === 'everything') return [...pending]
  const share = random()
  return pending.filter(() => random() < share)
}

/** Pieces of a write, as sectors and pages reach a disk by themselves. */
function torn(random: Random, cut: Cut): (change: Change) => Change[] {
  return (change) => {
    const { data, offset } = change
    if (cut !== 'pieces' || data === null) return [change]
    const step = random() < 0.5 ? 512 : 4_096
    const starts = Array.from({ length: Math.ceil(data.length / step) }, (_, index) => index * step)
    const kept = starts.filter(() => random() < 0.7)
    return kept.map((start) => ({ ...change, offset: offset + start, data: data.subarray(start, start + step) }))
  }
}

/** As below, in the same memory where the size stays: a segment of the log is brought to the disk thousands of times. */
function settled(content: Buffer, changes: readonly Change[]): Buffer {
  if (changes.some(({ data, offset }) => data === null || offset + data.length > content.length))
    return applied(content, changes)
  for (const { data, offset } of changes) data?.copy(content, offset)
  return content
}

function applied(content: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return content
  const ends = changes.map(({ offset, data, size }) => (data === null ? size : offset + data.length))
  const bytes = Buffer.alloc(Math.max(content.length, ...ends))
  content.copy(bytes)
  let length = content.length
  for (const { offset, data, size } of changes) {
    if (data === null) {
      if (size < length) bytes.fill(0, size, length)
      length = size
      continue
    }
    data.copy(bytes, offset)
    length = Math.max(length, offset + data.length)
  }
  return bytes.subarray(0, length)
}
