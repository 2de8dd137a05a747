import { formatNumber } from '../../../shared/words.ts'
import { nameOf } from '../../ui/names.ts'
import { nameOfOutcome, nameOfStep } from './words.ts'

type Recorded = { name: string; output: string }
type Reading = (output: string) => string | null

/** Lines of `agent: something`. */
const byAgent =
  (nameOfValue: (value: string) => string): Reading =>
  (output) =>
    output
      .split('\n')
      .map((line) => {
        const [, agent = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
        return agent ? `${nameOfStep(agent as 'knowledge')}: ${nameOfValue(value)}` : line
      })
      .join('\n')

const ranked: Reading = (output) => {
  const [, count, scores] = /^(\d+) judged, best ([\d. ]*)$/.exec(output) ?? []
  if (count === undefined || scores === undefined) return null
  const shown = scores
    .split(' ')
    .map((score) => formatNumber(Number(score), { minimumFractionDigits: 2, maximumFractionDigits: 2 }))
  return nameOfOutcome('ranked', { count: Number(count), scores: shown.join(' · ') })
}

/** How steps write down what came of them; of all others the text stands as it is. */
const READINGS: Readonly<Record<string, Reading>> = {
  understand(output) {
    const [, intent, language] = /^(\w+) (zh|en)$/.exec(output) ?? []
    return intent ? `${nameOf.intent(intent as 'faq')} · ${nameOfOutcome(language as 'zh')}` : null
  },
  route: byAgent((question) => question),
  cache: (output) => nameOfOutcome(output as 'hit'),
  answer: byAgent((confidence) => nameOfOutcome(confidence as 'sure')),
  decide(output) {
    const [, failed] = /^no handoff, (\d+) failed attempts$/.exec(output) ?? []
    return failed === undefined ? null : nameOfOutcome('noHandoff', { n: Number(failed) })
  },
  render(output) {
    const [, mode, count] = /^(\w+), (\d+) characters$/.exec(output) ?? []
    return mode
      ? nameOfOutcome('wording', { mode: nameOfOutcome(`mode.${mode as 'model'}`), count: Number(count) })
      : null
  },
  candidates(output) {
    const [, words, meaning] = /^(\d+) lexical, (\d+) vector$/.exec(output) ?? []
    return words ? nameOfOutcome('candidates', { words: Number(words), meaning: Number(meaning) }) : null
  },
  ranking: ranked,
  rerank: ranked,
}

/** What came of a step, in words. */
export function outcomeOf({ name, output }: Recorded): string {
  return (output !== '' && READINGS[name]?.(output)) || output
}
