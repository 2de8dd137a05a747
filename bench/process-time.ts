import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of a second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100

interface Entry {
  pid: number
  name: string
  parent: number
  /** Own time and that of children which have ended. */
  ticks: number
}

/** Seconds of processor time that a process and all that it started took so far, those that have ended among them. */
export function secondsOf(pid: number): number {
  const entries = readEntries()
  const inTree = new Set([pid])
  // Children may stand before their parents in the list.
  for (let size = 0; size < inTree.size; ) {
    size = inTree.size
    for (const entry of entries) if (inTree.has(entry.parent)) inTree.add(entry.pid)
  }
  return entries.filter((entry) => inTree.has(entry.pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS
}

/** The process that started one of Postgres'; null where it is none of this machine's. */
export function serverOf(backend: number): number | null {
  const entry = readEntries().find(({ pid }) => pid === backend)
  return entry?.name === 'postgres' ? entry.parent : null
}

/** proc_pid_stat(5): after the name in parentheses state, parent and so on; the times are the 14th to the 17th field. */
function readEntries(): Entry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = readStat(name)
      const [start, end] = [text.indexOf('('), text.lastIndexOf(')')]
      const fields = text.slice(end + 2).split(' ')
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      return text === ''
        ? []
        : [{ pid: Number(name), name: text.slice(start + 1, end), parent: Number(fields[1]), ticks }]
    })
}

/** Empty for a process that has ended meanwhile. */
function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
