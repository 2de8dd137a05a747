import { expect, it } from 'vitest'
import { findSlowReaders, readersOfText } from './hostile-readers.ts'

/** Documents are read in a process with a time limit; test/full feeds them and all the others a megabyte. */
const isDocument = (name: string): boolean => name.startsWith('document')

it('what reads the words of customers and models takes twice as long for twice the text, about', async () => {
  const readers = Object.entries(await readersOfText()).filter(([name]) => !isDocument(name))
  expect(readers.length).toBeGreaterThan(15)
  expect(await findSlowReaders(Object.fromEntries(readers), 8_000, 20)).toEqual([])
})

it('a reader that does not would be found', async () => {
  const careless = (text: string): number => {
    let steps = 0
    while (text.startsWith('@') && steps < text.length ** 3) steps++
    return steps
  }
  expect(await findSlowReaders({ careless }, 200, 5)).toContain('careless on "@"')
})
