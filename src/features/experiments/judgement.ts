import { ci95, differenceOf, sampleOf } from './statistics.ts'
import type { Experiment, JudgedBy, MetricRow } from './types.ts'

/** Measures that an experiment may be judged by: facts of how sessions went, never how sure the assistant was. */
interface Yardstick {
  /** The recorded metric; larger is better. */
  metric: string
  /** The least difference that is worth finding. */
  worthwhile: number
  en: string
  zh: string
}
const YARDSTICKS: Readonly<Record<JudgedBy, Yardstick>> = {
  rating: { metric: 'rating', worthwhile: 0.3, en: 'the rating after a conversation', zh: '会话评分' },
  feedback: { metric: 'feedback', worthwhile: 0.05, en: 'the share of replies rated up', zh: '回复好评率' },
  handoff: {
    metric: 'contained',
    worthwhile: 0.05,
    en: 'the share of sessions without a person',
    zh: '无需人工的会话占比',
  },
  resolved: { metric: 'resolved', worthwhile: 0.05, en: 'the share of resolved sessions', zh: '已解决的会话占比' },
  evaluation: {
    metric: 'evaluation',
    worthwhile: 0.05,
    en: 'the share of right answers to the test set',
    zh: '测试集回答正确率',
  },
}

export const VERDICTS = ['no_data', 'too_few', 'no_difference', 'better', 'worse'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Fewer values than this say nothing, whatever they are. */
const MIN_VALUES = 30
/** Of being wrong: at the end, and while it runs, when people look again and again. */
const LEVEL = { ended: 0.05, running: 0.005 } as const
/** Variances of a mean within which a true difference is found four times in five, at a level of 5 %. */
const POWER = 2 * (1.96 + 0.84) ** 2

/** Each variant against the first one, by what the experiment is judged by; null: by nothing. */
export function judge(experiment: Experiment, rows: readonly MetricRow[]) {
  const { judgedBy, endedAt, variants } = experiment
  if (judgedBy === null) return null
  const [baseline = '', ...others] = variants
  const { metric } = YARDSTICKS[judgedBy]
  const find = (variant: string) => rows.find((row) => row.variant === variant && row.metric === metric)
  // Several comparisons share the chance of being wrong.
  const level = LEVEL[endedAt ? 'ended' : 'running'] / Math.max(1, others.length)
  return {
    judgedBy,
    metric,
    isFinal: endedAt !== null,
    comparisons: others.map((variant) =>
      compare({ baseline, variant, judgedBy, level }, find(baseline), find(variant)),
    ),
  }
}

interface Compared {
  baseline: string
  variant: string
  judgedBy: JudgedBy
  level: number
}

function compare(about: Compared, a: MetricRow | undefined, b: MetricRow | undefined) {
  const { baseline, variant, judgedBy, level } = about
  const { worthwhile } = YARDSTICKS[judgedBy]
  const sides = { baseline: summarise(a), other: summarise(b) }
  const found = a && b ? differenceOf(sampleOf(b), sampleOf(a), level) : null
  const variance = a && b ? (a.squares + b.squares) / Math.max(1, a.count + b.count - 2) : 0
  const neededPerVariant = Math.max(MIN_VALUES, Math.ceil((POWER * variance) / worthwhile ** 2))
  const least = Math.min(a?.count ?? 0, b?.count ?? 0)
  const isEnough = least >= neededPerVariant
  const verdict = verdictOf({ least, isEnough, found, level })
  const numbers = {
    difference: found?.difference ?? null,
    interval: found?.interval ?? null,
    pValue: found?.pValue ?? null,
  }
  return {
    baseline,
    variant,
    values: { baseline: sides.baseline, variant: sides.other },
    ...numbers,
    confidenceLevel: 1 - level,
    neededPerVariant,
    isEnough,
    verdict,
    words: wordsFor({ ...about, verdict, difference: numbers.difference, least, neededPerVariant }),
  }
}

function summarise(row: MetricRow | undefined) {
  if (!row) return { count: 0, mean: null, ci95: null }
  const sample = sampleOf(row)
  return { count: row.count, mean: row.mean, ci95: ci95(sample) }
}

interface Weighed {
  least: number
  isEnough: boolean
  found: { difference: number; pValue: number } | null
  level: number
}

function verdictOf({ least, isEnough, found, level }: Weighed): Verdict {
  if (least === 0 || !found) return least === 0 ? 'no_data' : 'too_few'
  if (least < MIN_VALUES) return 'too_few'
  if (found.pValue < level && found.difference !== 0) return found.difference > 0 ? 'better' : 'worse'
  return isEnough ? 'no_difference' : 'too_few'
}

interface Said extends Compared {
  verdict: Verdict
  difference: number | null
  least: number
  neededPerVariant: number
}

function wordsFor({ baseline, variant, judgedBy, verdict, difference, least, neededPerVariant }: Said) {
  const { en, zh } = YARDSTICKS[judgedBy]
  const by =
    judgedBy === 'rating' ? Math.abs(difference ?? 0).toFixed(2) : `${(Math.abs(difference ?? 0) * 100).toFixed(1)}`
  const unit = judgedBy === 'rating' ? { en: ' points', zh: ' 分' } : { en: ' percentage points', zh: ' 个百分点' }
  switch (verdict) {
    case 'no_data':
      return { en: `Nothing is known yet of ${en}.`, zh: `还没有${zh}的数据。` }
    case 'too_few':
      return {
        en: `Not enough yet: ${least} of about ${neededPerVariant} values of ${en} in the smaller variant.`,
        zh: `数据还不够：样本较少的一组有 ${least} 个${zh}数据，约需 ${neededPerVariant} 个。`,
      }
    case 'no_difference':
      return {
        en: `"${variant}" and "${baseline}" do not differ noticeably in ${en}.`,
        zh: `“${variant}”与“${baseline}”的${zh}没有明显差别。`,
      }
    case 'better':
      return {
        en: `"${variant}" is better than "${baseline}": ${en} is ${by}${unit.en} higher.`,
        zh: `“${variant}”优于“${baseline}”：${zh}高 ${by}${unit.zh}。`,
      }
    case 'worse':
      return {
        en: `"${variant}" is worse than "${baseline}": ${en} is ${by}${unit.en} lower.`,
        zh: `“${variant}”不如“${baseline}”：${zh}低 ${by}${unit.zh}。`,
      }
  }
}
