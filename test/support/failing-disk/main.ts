import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Preloaded into a program (`node --import`), it makes writes below FAILING_FOLDER fail as the file FAILING_RULE says,
 * e.g. `EIO 7 pg_wal`: every seventh one whose path contains `pg_wal`. An empty file: none.
 */
const { FAILING_FOLDER: folder = '', FAILING_RULE: ruleFile = '' } = process.env
const REREAD_MS = 50
const ERROR_NUMBERS: Record<string, number> = { EIO: -5, ENOSPC: -28 }

interface Rule {
  code: string
  every: number
  part: string
}

const paths = new Map<number, string>()
let rule: Rule | undefined
let readAt = 0
let matching = 0

function failure(path: string): Error | undefined {
  const now = Date.now()
  if (now - readAt > REREAD_MS) {
    readAt = now
    const [code = '', every, part = ''] = fs.readFileSync(ruleFile, 'utf8').trim().split(' ')
    rule = code === '' ? undefined : { code, every: Number(every), part }
  }
  if (!rule || !path.startsWith(folder) || !path.includes(rule.part)) return undefined
  matching++
  if (matching % rule.every !== 0) return undefined
  return Object.assign(new Error(`${rule.code}: as told`), { code: rule.code, errno: ERROR_NUMBERS[rule.code] })
}

const { openSync, writeSync, ftruncateSync } = fs
// The casts: of the overloads any will do, the arguments are passed on as they come.
fs.openSync = ((path: fs.PathLike, ...rest: [fs.OpenMode]) => {
  const descriptor = openSync(path, ...rest)
  paths.set(descriptor, String(path))
  return descriptor
}) as typeof openSync
fs.writeSync = ((descriptor: number, ...rest: [string]) => {
  const error = failure(paths.get(descriptor) ?? '')
  if (error) throw error
  return writeSync(descriptor, ...rest)
}) as typeof writeSync
fs.ftruncateSync = ((descriptor: number, ...rest: [number]) => {
  const error = failure(paths.get(descriptor) ?? '')
  if (error) throw error
  ftruncateSync(descriptor, ...rest)
}) as typeof ftruncateSync
syncBuiltinESMExports()
