import type { Count } from './types.ts'

/** How often `name` was counted under `label`. */
export function countOf(counts: readonly Count[], name: string, label: string): number {
  return find(counts, name, label)?.count ?? 0
}

/** The values that came with `name` under `label`, added up. */
export function sumOf(counts: readonly Count[], name: string, label: string): number {
  return find(counts, name, label)?.total ?? 0
}

/** `part` of `whole`; 0 when there is no whole. */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function find(counts: readonly Count[], name: string, label: string): Count | undefined {
  return counts.find((each) => each.name === name && each.label === label)
}
