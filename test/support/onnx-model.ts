import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Tokens of the tiny model and what each means, by place; tokens at the same place mean the same. */
export type Meanings = readonly (readonly [token: string, place: number])[]

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

/**
 * Writes a sentence embedding model into a folder: one look-up of a token's row in a table, whose rows are unit vectors.
 * The bytes are those of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
 */
export async function writeOnnxModel(folder: string, meanings: Meanings, dimensions: number): Promise<void> {
  const rows = [...SPECIAL.map(() => null), ...meanings.map(([, place]) => place)]
  const table = new Float32Array(rows.length * dimensions)
  for (const [row, place] of rows.entries()) if (place !== null) table[row * dimensions + place] = 1
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'model.onnx'), model(table, rows.length, dimensions))
  await writeFile(join(folder, 'vocab.txt'), [...SPECIAL, ...meanings.map(([token]) => token)].join('\n'))
}

const FLOAT = 1
const INT64 = 7

function model(table: Float32Array, rows: number, dimensions: number): Uint8Array {
  const node = [text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')]
  const initializer = [number(1, rows), number(1, dimensions), number(2, FLOAT), text(8, 'table'), raw(9, table)]
  const graph = [
    message(1, node),
    text(2, 'tiny'),
    message(5, initializer),
    value(11, 'input_ids', INT64, ['texts', 'length']),
    value(11, 'attention_mask', INT64, ['texts', 'length']),
    value(12, 'last_hidden_state', FLOAT, ['texts', 'length', dimensions]),
  ]
  return Buffer.concat([number(1, 8), message(7, graph), message(8, [number(2, 13)])])
}

function value(field: number, name: string, elementType: number, shape: readonly (string | number)[]): Uint8Array {
  const dims = shape.map((dim) => message(1, [typeof dim === 'number' ? number(1, dim) : text(2, dim)]))
  const tensor = message(1, [number(1, elementType), message(2, dims)])
  return message(field, [text(1, name), message(2, [tensor])])
}

/** A varint, the unit of the wire format of protocol buffers. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}

function number(field: number, value: number): Uint8Array {
  return Buffer.concat([varint(field * 8), varint(value)])
}

function message(field: number, parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}

function text(field: number, value: string): Uint8Array {
  return message(field, [Buffer.from(value)])
}

function raw(field: number, values: Float32Array): Uint8Array {
  return message(field, [new Uint8Array(values.buffer)])
}
