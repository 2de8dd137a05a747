import { namesOf, normalisePath } from './targets.ts'
import { type CaseResult, type Figures, isAnswerable, type Recommendation, type Severity } from './types.ts'

/** Facts that a report is judged by, beside its figures. */
export interface Findings {
  testset: string
  topK: number
  results: readonly CaseResult[]
  figures: Figures
  byCategory: Record<string, Figures>
  p95LatencyMs: number
  /** Documents that customers can find. */
  documents: readonly { docId: string; source: string }[]
  /** The knowledge base or the parameters changed while the cases were asked. */
  changedMeanwhile: boolean
}

const GOOD_RECALL = 0.8
/** Fewer cases say little: of 20, one more or less is five percent. */
const FEW_CASES = 20
const NOTICEABLE = 0.1
const SLOW_MS = 1_000
const NAMED = 5

type Rule = (findings: Findings) => Recommendation | null

/** Advice about the figures, the most urgent first. */
export function recommend(findings: Findings): Recommendation[] {
  const order: Severity[] = ['critical', 'warning', 'info']
  return RULES.flatMap((rule) => rule(findings) ?? []).sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
  )
}

function found(severity: Severity, issue: string, suggestion: string): Recommendation {
  return { issue, severity, suggestion }
}

const missingDocuments: Rule = ({ testset, results, documents }) => {
  const known = new Set(documents.flatMap(({ docId, source }) => [docId, ...namesOf(source)]))
  const expected = new Set(
    results.flatMap(({ expectedSources, expectedDocIds }) => [...expectedSources, ...expectedDocIds]),
  )
  const missing = [...expected].filter((name) => !known.has(normalisePath(name)))
  if (missing.length === 0) return null
  const some = missing.length > NAMED ? [...missing.slice(0, NAMED), '…'] : missing
  const issue =
    documents.length === 0
      ? 'The knowledge base is empty'
      : `${missing.length} of the ${expected.size} documents that the cases expect are not in the knowledge base: ${some.join(', ')}`
  if (testset === 'builtin') {
    return found(
      'critical',
      issue,
      'The built-in cases ask about the sample shop. Load it with "npm run demo", or evaluate your own knowledge base with a test set of your own: "testset_path", or an upload to /api/v1/evaluation/testsets',
    )
  }
  return found('critical', issue, 'Ingest these documents, or correct the names in the test set')
}

const lowRecall: Rule = (findings) => {
  const { recallAt5 } = findings.figures
  // A missing document cannot be found; that is said already.
  if (recallAt5 === null || recallAt5 >= GOOD_RECALL || missingDocuments(findings)) return null
  return found(
    'critical',
    `recall@5 is ${percent(recallAt5)}, below ${percent(GOOD_RECALL)}`,
    'Look at the cases without a rank: add the customers’ wordings as questions to the documents or as synonyms, and let /api/v1/tuner/auto search for better parameters',
  )
}

const weakCategory: Rule = ({ byCategory, figures }) => {
  const overall = figures.recallAt5
  if (overall === null) return null
  const weak = Object.entries(byCategory).filter(
    ([, { recallAt5 }]) => recallAt5 !== null && recallAt5 < overall - 2 * NOTICEABLE,
  )
  if (weak.length === 0) return null
  const names = weak.map(([name, { recallAt5 }]) => `${name} (${percent(recallAt5 ?? 0)})`)
  return found(
    'warning',
    `Much less is found in some categories than elsewhere: ${names.join(', ')}`,
    'See what the cases of these categories have in common, and which documents are about it',
  )
}

const badOrder: Rule = ({ figures: { recallAt1, recallAt10 } }) => {
  if (recallAt1 === null || recallAt10 === null || recallAt10 - recallAt1 < 3 * NOTICEABLE) return null
  return found(
    'warning',
    `The right passage is found but not first: recall@10 is ${percent(recallAt10)}, recall@1 ${percent(recallAt1)}`,
    'Configure a rerank endpoint (RERANK_BASE_URL), or let /api/v1/tuner/auto look for better weights',
  )
}

const tooFew: Rule = ({ topK, figures: { recallAt5, recallAt10 } }) => {
  if (topK > 5 || recallAt5 === null || recallAt10 === null || recallAt10 - recallAt5 < NOTICEABLE) return null
  return found(
    'warning',
    `More is found further down: recall@10 is ${percent(recallAt10)}, recall@5 ${percent(recallAt5)}`,
    'With a model, a larger rerank_top_k gives it these passages too',
  )
}

const tooShy: Rule = ({ results }) => {
  const shy = results.filter((result) => isAnswerable(result) && result.rank === 1 && result.confidence === 'none')
  if (shy.length < Math.max(2, NOTICEABLE * results.length)) return null
  return found(
    'warning',
    `${shy.length} questions got no answer although the right passage came first`,
    'Lower clarify_threshold and direct_answer_threshold',
  )
}

const tooBold: Rule = ({ results }) => {
  const unanswerable = results.filter((result) => !isAnswerable(result))
  const bold = unanswerable.filter(({ confidence }) => confidence === 'sure')
  if (bold.length < Math.max(1, NOTICEABLE * unanswerable.length)) return null
  return found(
    'warning',
    `${bold.length} of ${unanswerable.length} questions that have no answer got one`,
    'Raise direct_answer_threshold and clarify_threshold',
  )
}

const slow: Rule = ({ p95LatencyMs }) =>
  p95LatencyMs < SLOW_MS
    ? null
    : found(
        'warning',
        `One search in twenty takes ${Math.round(p95LatencyMs)} ms or longer`,
        'Lower lexical_top_k and vector_top_k, look at the embedding and rerank endpoints, or use a Postgres server',
      )

const changed: Rule = ({ changedMeanwhile }) =>
  changedMeanwhile
    ? found('warning', 'The knowledge base changed while the cases were asked', 'Run the evaluation again')
    : null

const fewCases: Rule = ({ results }) =>
  results.length >= FEW_CASES
    ? null
    : found('info', `${results.length} cases say little: the figures are rough`, `Collect at least ${FEW_CASES} cases`)

const noUnanswerable: Rule = ({ results }) =>
  results.some((result) => !isAnswerable(result))
    ? null
    : found(
        'info',
        'No case checks that the assistant says so when it has no answer',
        'Add questions that your documents do not answer, with nothing expected',
      )

const RULES: Rule[] = [
  missingDocuments,
  lowRecall,
  weakCategory,
  badOrder,
  tooFew,
  tooShy,
  tooBold,
  slow,
  changed,
  fewCases,
  noUnanswerable,
]

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
