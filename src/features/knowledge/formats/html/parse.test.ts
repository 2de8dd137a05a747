import { describe, expect, it } from 'vitest'
import { parseHtml } from './parse.ts'

/** Long enough that neither the clock's steps nor one collection of garbage decide. */
const MEASURED_MICROSECONDS = 200_000

/** Steps of the processor would be best; the share of a longer input in its time is close, when both are repeated. */
function growth(make: (count: number) => string, count: number): number {
  const time = (html: string): number => {
    parseHtml(html)
    const start = process.cpuUsage()
    for (let runs = 1; ; runs++) {
      parseHtml(html)
      const { user } = process.cpuUsage(start)
      if (user >= MEASURED_MICROSECONDS) return user / runs
    }
  }
  const [small, large] = [make(count), make(16 * count)]
  return time(large) / time(small)
}

describe('a page with thousands of elements in a row', () => {
  it.each([
    ['paragraphs', (count: number) => '<p>One of many.</p>'.repeat(count)],
    ['scripts', (count: number) => '<script>x</script><b>y</b>'.repeat(count)],
    [
      'hidden parts after one long part',
      (count: number) => `<p>${'word '.repeat(count)}</p>${'<i hidden></i>'.repeat(count)}`,
    ],
  ])('is read in time that grows with them: %s', (_, make) => {
    // Sixteen times the elements took 256 times as long. Collecting the garbage of a process full of other tests' data
    // doubles or triples what is linear.
    expect(growth(make, 1_000)).toBeLessThan(90)
  })

  it('is read as before', () => {
    const html =
      '<p>One.</p><nav>Menu</nav>two<script>x</script><h2>Is it?</h2><div hidden>Yes.</div><div hidden>Ad.</div>'
    expect(parseHtml(html).blocks).toEqual([
      { type: 'paragraph', text: 'One.' },
      { type: 'paragraph', text: 'two' },
      { type: 'heading', level: 2, text: 'Is it?' },
      { type: 'paragraph', text: 'Yes.' },
    ])
  })
})
