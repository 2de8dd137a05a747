import { AppError } from '../../../kernel/errors.ts'
import { publicUrl } from '../../../kernel/public-url.ts'
import { parseTimestamp } from '../../../kernel/time.ts'
import { AUDIENCES, KNOWLEDGE_TYPES } from '../schemas.ts'
import type { Audience } from '../types.ts'
import { SOLUTION_PREFIX, shownName } from './identity.ts'
import type { IngestRequest } from './ingest.ts'
import { ON_CONFLICT, type OnConflict } from './name-conflicts.ts'

interface Form {
  file: { name: string; bytes: Buffer } | undefined
  fields: Record<string, string>
}

const MAX_NAME_LENGTH = 255
const MAX_TEXT_LENGTH = 200

/** Checks the fields of an ingest form. Throws invalid (422) that names the field. */
export function toIngestRequest({ file, fields }: Form): IngestRequest {
  if (!file) throw invalid('file', 'is required')
  return {
    bytes: file.bytes,
    source: sourceOf(file.name),
    register: flag(fields, 'register'),
    validateQuality: flag(fields, 'validate_quality'),
    canary: flag(fields, 'canary'),
    onConflict: onConflict(fields['on_conflict']),
    audience: audience(fields['audience']),
    metadata: {
      knowledgeType: knowledgeType(fields['knowledge_type']),
      productCategory: shortText(fields, 'product_category', 'unknown'),
      applicableVersion: shortText(fields, 'applicable_version', 'latest'),
      publishedAt: publishedAt(fields['published_at']),
      url: link(fields['url']),
    },
  }
}

/**
 * A request for each file of a form; what its fields say holds for all of them. Throws invalid (422) that names the field.
 */
export function toIngestRequests({ files, fields }: { files: NonNullable<Form['file']>[]; fields: Form['fields'] }) {
  if (files.length === 0) throw invalid('file', 'is required')
  if (fields['url']) throw invalid('url', 'is that of one document; several are uploaded without it')
  const requests = files.map((file) => toIngestRequest({ file, fields }))
  const names = new Set<string>()
  for (const { source } of requests) {
    if (names.has(source)) throw invalid('file', `two files are named "${source}"`)
    names.add(source)
  }
  return requests
}

/** The file's name alone: browsers and scripts may send a path. */
function sourceOf(fileName: string): string {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const clean = shownName(base)
  if (clean === '' || clean === '.' || clean === '..') throw invalid('file', 'needs a file name')
  if (clean.length > MAX_NAME_LENGTH)
    throw invalid('file', `the file name is longer than ${MAX_NAME_LENGTH} characters`)
  if (clean.startsWith(SOLUTION_PREFIX))
    throw invalid('file', `the file name must not begin with "${SOLUTION_PREFIX}": approved solutions do`)
  return clean
}

const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['', 'false', '0', 'no', 'off'])

function flag(fields: Record<string, string>, name: string): boolean {
  const value = (fields[name] ?? '').trim().toLowerCase()
  if (TRUE.has(value)) return true
  if (FALSE.has(value)) return false
  throw invalid(name, 'must be true or false')
}

function onConflict(value = ''): OnConflict {
  const given = value.trim().toLowerCase()
  const known = ON_CONFLICT.find((each) => each === given)
  if (known) return known
  if (given === '') return 'version'
  throw invalid('on_conflict', `must be one of ${ON_CONFLICT.join(', ')}`)
}

function audience(value = ''): Audience | null {
  const given = value.trim().toLowerCase()
  if (given === '') return null
  const known = AUDIENCES.find((each) => each === given)
  if (known) return known
  throw invalid('audience', `must be one of ${AUDIENCES.join(', ')}`)
}

function knowledgeType(value = ''): string {
  const given = value.trim()
  if (given === '') return 'doc'
  if ((KNOWLEDGE_TYPES as readonly string[]).includes(given)) return given
  throw invalid('knowledge_type', `must be one of ${KNOWLEDGE_TYPES.join(', ')}`)
}

function shortText(fields: Record<string, string>, name: string, fallback: string): string {
  const value = (fields[name] ?? '').replaceAll('\u0000', '').trim()
  if (value.length > MAX_TEXT_LENGTH) throw invalid(name, `must have at most ${MAX_TEXT_LENGTH} characters`)
  return value === '' ? fallback : value
}

function publishedAt(value = ''): Date | null {
  if (value.trim() === '') return null
  const date = parseTimestamp(value)
  if (!date) throw invalid('published_at', 'must be an ISO 8601 date or time')
  return date
}

function link(value = ''): string | null {
  if (value.trim() === '') return null
  const url = publicUrl(value)
  if (!url) throw invalid('url', 'must be an http or https address')
  return url
}

function invalid(field: string, reason: string): AppError {
  return new AppError('invalid', 'validation', `${field}: ${reason}`)
}
