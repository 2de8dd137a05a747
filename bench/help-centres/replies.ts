import { createRandom } from '../../src/features/evaluation/index.ts'
import type { Asked, Scored } from './score.ts'

/** Which questions are shown: `count` of the answerable, the same ones for the same seed. */
export function chooseQuestions(results: readonly Asked[], count: number, seed: number): string[] {
  const random = createRandom(seed)
  const drawn = results.filter(({ answerable }) => answerable).map(({ id }) => ({ id, at: random() }))
  const first = drawn.sort((one, other) => one.at - other.at).slice(0, count)
  return first.map(({ id }) => id).sort()
}

/** What was said to one question by each variant, as Markdown; earlier turns of its conversation stand before it. */
export function showReplies(id: string, runs: readonly { name: string; scored: Scored }[]): string {
  const results = runs[0]?.scored.results ?? []
  const asked = results.find((result) => result.id === id)
  if (!asked) return ''
  const { conversation, turn } = asked
  const earlier = results.filter((other) => other.conversation === conversation && other.turn < turn)
  const lines = [`#### ${id} ${[...earlier, asked].map(({ question }) => `“${question}”`).join(' → ')}`, '']
  lines.push(`Expected: ${asked.note}`, '')
  for (const { name, scored } of runs) {
    const said = scored.results.find((result) => result.id === id)
    lines.push(`**${name}** (${said?.verdict}):`, '', quote(said?.reply ?? ''), '')
  }
  return lines.join('\n')
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
