import { readFileSync, writeFileSync } from 'node:fs'

/** What fails today, by the id of the case: the names of its checks. */
export type Failures = Record<string, readonly string[]>

export interface Drift {
  /** Fails and is not listed. */
  fresh: string[]
  /** Is listed and does not fail: take it off the list. */
  healed: string[]
}

/**
 * Compares what fails with the list of what is known to fail. With `RATCHET=shrink` in the environment the list loses what
 * has healed; nothing is ever added to it.
 *
 * @param concerns which checks of the list were made, by the name of the check and the id of its case
 */
export function compareWithKnown(
  path: string,
  failing: Failures,
  concerns: (check: string, id: string) => boolean = () => true,
): Drift {
  const known = JSON.parse(readFileSync(path, 'utf8')) as Failures
  const fails = (id: string, check: string): boolean => failing[id]?.includes(check) ?? false
  const isHealed = (id: string, check: string): boolean => concerns(check, id) && !fails(id, check)
  const fresh = select(failing, (id, check) => !(known[id]?.includes(check) ?? false))
  const healed = select(known, isHealed)
  if (process.env.RATCHET !== 'shrink' || healed.length === 0) return { fresh, healed }
  save(path, known, (id, check) => !isHealed(id, check))
  return { fresh, healed: [] }
}

type Choice = (id: string, check: string) => boolean

function select(failures: Failures, isChosen: Choice): string[] {
  return Object.entries(failures).flatMap(([id, checks]) =>
    checks.filter((check) => isChosen(id, check)).map((check) => `${id} ${check}`),
  )
}

const LINE_WIDTH = 120

/** One case a line, as the formatter has it, so that a change of one is a change of one line. */
function save(path: string, failures: Failures, isKept: Choice): void {
  const entries = Object.entries(failures).flatMap(([id, checks]) => {
    const kept = checks.filter((check) => isKept(id, check)).map((check) => JSON.stringify(check))
    return kept.length === 0 ? [] : [entryOf(JSON.stringify(id), kept)]
  })
  writeFileSync(path, entries.length === 0 ? '{}\n' : `{\n${entries.join(',\n')}\n}\n`)
}

function entryOf(id: string, checks: readonly string[]): string {
  const line = `  ${id}: [${checks.join(', ')}]`
  return line.length < LINE_WIDTH ? line : `  ${id}: [\n    ${checks.join(',\n    ')}\n  ]`
}
