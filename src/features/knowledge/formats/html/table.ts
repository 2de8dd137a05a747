import type { Block } from '../types.ts'
import { type DomNode, lineOf } from './text.ts'

/** A table of data as a block; null for one that only lays out other content. */
export function dataTable(table: DomNode): Block | null {
  const rows = tableRows(table)
  const width = rows.reduce((widest, row) => Math.max(widest, row.cells.length), 0)
  if (width <= 1 || rows.some((row) => row.cells.some(holdsStructure))) return null
  const texts = rows.map((row) => row.cells.map(lineOf))
  const header = rows[0]?.header ? (texts.shift() ?? []) : []
  const body = texts.filter((cells) => cells.some((cell) => cell !== ''))
  return { type: 'table', header, rows: body }
}

interface TableRow {
  header: boolean
  cells: DomNode[]
}

function tableRows(table: DomNode): TableRow[] {
  return (table.children ?? []).flatMap((part) => {
    const lines = part.name === 'tr' ? [part] : (part.children ?? []).filter((line) => line.name === 'tr')
    return lines.map((line) => rowOf(line, part.name === 'thead')).filter((row) => row.cells.length > 0)
  })
}

function rowOf(line: DomNode, inHead: boolean): TableRow {
  const cells = (line.children ?? []).filter((cell) => cell.name === 'td' || cell.name === 'th')
  return { header: inHead || cells.every((cell) => cell.name === 'th'), cells }
}

function holdsStructure(cell: DomNode): boolean {
  return (cell.children ?? []).some((child) => child.name === 'table' || /^h[1-6]$/.test(child.name ?? ''))
}
