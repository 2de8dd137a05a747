import type { ParsedImport } from './record-import.ts'

/** An import in parts of at most `size` records; what could not be taken is said with the first. At least one part. */
export function* sliceImport(parsed: ParsedImport, size: number): Generator<ParsedImport> {
  for (let start = 0; start === 0 || start < parsed.records.length; start += size) {
    const failures = start === 0 ? { failed: parsed.failed, errors: parsed.errors } : { failed: 0, errors: [] }
    const end = start + size
    if (parsed.kind === 'orders') yield { kind: 'orders', records: parsed.records.slice(start, end), ...failures }
    else yield { kind: 'customers', records: parsed.records.slice(start, end), ...failures }
  }
}
