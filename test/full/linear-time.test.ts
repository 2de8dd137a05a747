import { expect, it } from 'vitest'
import { findSlowReaders, readersOfText } from '../security/hostile-readers.ts'

/** The library's own: ends of paragraphs that never began. The process that reads documents has a time limit. */
const KNOWN = ['document a.html on "</p>"']

/** Documents are cut into pieces first, so that eighths of a megabyte show as much; HTML is not. */
function lengthFor(name: string): number {
  if (name === 'document a.html') return 16_384
  return name.startsWith('document') ? 131_072 : 524_288
}

it('what reads text takes about twice as long for a megabyte as for half of one', async () => {
  const slow: string[] = []
  for (const [name, reader] of Object.entries(await readersOfText())) {
    const startedAt = performance.now()
    const length = lengthFor(name)
    const found = await findSlowReaders({ [name]: reader }, length, 200)
    slow.push(...found)
    console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`, ...found)
  }
  expect(slow.filter((each) => !KNOWN.includes(each))).toEqual([])
})
