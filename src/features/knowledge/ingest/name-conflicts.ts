import type { Executor } from '../../../platform/postgres/index.ts'
import { overlapOf } from '../quality/duplicates.ts'
import { findDocument, findVersion } from '../queries.ts'
import type { IngestResult, PreparedChunk } from '../types.ts'
import { documentIdOf, versionName } from './identity.ts'
import type { Target } from './publish.ts'

/** The ways out for an upload whose name another document has already. */
export const ON_CONFLICT = ['version', 'rename', 'reject'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]

const MAX_COPIES = 1_000
const MAX_NAME_LENGTH = 255
/** Below it two texts are different documents rather than one and its revision: see docs/decisions/0115. */
const LITTLE_IN_COMMON = 0.3
/** Chunks of each text that are compared. */
export const COMPARED_CHUNKS = 200

/** The document of other content that has the name of an upload; null: there is none. */
export async function findOccupant(executor: Executor, target: Target): Promise<{ version: string | null } | null> {
  const document = await findDocument(executor, target.docId)
  if (document?.status !== 'active') return null
  const active = await findVersion(executor, target.docId, 'active')
  if (active?.docHash === target.docHash) return null
  return { version: active && document.registered ? versionName(active.versionNo) : null }
}

/** The same upload under the first name that is free, `faq (2).md`, or that holds this very content. */
export async function underFreeName(executor: Executor, target: Target): Promise<Target | null> {
  for (let copy = 2; copy <= MAX_COPIES; copy++) {
    const source = copyName(target.source, copy)
    const renamed = { ...target, source, docId: documentIdOf(source) }
    if (!(await findOccupant(executor, renamed))) return renamed
  }
  return null
}

function copyName(name: string, copy: number): string {
  const [, base = name, extension = ''] = /^(.+?)(\.[^.]{1,20})?$/su.exec(name) ?? []
  const mark = ` (${copy})`
  return `${[...base.slice(0, MAX_NAME_LENGTH - mark.length - extension.length)].join('')}${mark}${extension}`
}

/**
 * Says so when an upload became a version of a document that it has little in common with.
 *
 * @param before features of the document's chunks before.
 */
export function strangerWarnings(
  before: readonly Uint8Array[],
  chunks: readonly PreparedChunk[],
  { docId, source, version, unchanged }: IngestResult,
): string[] {
  if (unchanged || before.length === 0) return []
  const overlap = overlapOf(
    before,
    chunks.slice(0, COMPARED_CHUNKS).map(({ features }) => features),
  )
  if (overlap === null || overlap >= LITTLE_IN_COMMON) return []
  const became =
    version === null ? `replaced the document "${source}"` : `became ${version} of the document "${source}"`
  const share = `${Math.round(overlap * 100)} %`
  return [
    `warning: this upload ${became} (${docId}), with which it has little in common (${share}); ` +
      'on_conflict=rename makes it a document of its own, on_conflict=reject refuses it',
  ]
}
