// `node bench/lab/excerpts.ts FIXTURES [--write]`: how often the part of the right document that a reply gives holds what a right
// answer must contain, with the weights of the product, with weights that were learned on the other help centre alone,
// and without each feature. `--write` learns those of the product and those without each set, which
// `npm run bench:help-centres` asks with.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBuiltInEmbedder } from '../../src/ai/embedder/built-in.ts'
import { answeringExcerpt } from '../../src/features/chat/reply/excerpt.ts'
import { type Features, featuresOf, piecesOf, WEIGHTS } from '../../src/features/chat/reply/piece.ts'
import { sectionsOf } from '../../src/features/chat/reply/section.ts'
import { createKnowledge, DEFAULT_RETRIEVAL_PARAMETERS, type SearchHit } from '../../src/features/knowledge/index.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'
import { createTestDatabase } from '../../test/support/test-database.ts'
import { terms } from '../../test/support/turns.ts'

interface Question {
  question: string
  turn: number
  answerable: boolean
  handoff: boolean
  sources: string[]
  must: string[][]
}
/** A question with the best passage of a document that answers it. */
interface Example {
  question: string
  must: RegExp[][]
  best: SearchHit
}

const NAMES = Object.keys(WEIGHTS) as (keyof Features)[]
const ROOMS = [300, 480, 800]
const SEARCHED = 16
const ROUNDS = 800
const RATE = 0.3
const PENALTY = 0.002

/**
 * Weights that are not learned: both sets hold too few questions that name something, or that a search is sure of, and
 * the introductions of one are all that its short articles have.
 */
const FIXED: Partial<Features> = { words: 1.3, certainty: 3, opening: -0.7 }
const LEARNED = NAMES.filter((name) => !(name in FIXED))
const PRODUCT = new URL('../../src/features/chat/reply/piece-weights.json', import.meta.url)

const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
const root = join(positionals[0] ?? '../shared/fixtures', 'help_centres')
const sets = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const examples = new Map<string, Example[]>()
for (const { name } of sets) examples.set(name, await examplesOf(join(root, name)))
if (values.write) {
  Object.assign(WEIGHTS, learn([...examples.values()].flat()))
  writeWeights(PRODUCT, WEIGHTS)
}
for (const [name, own] of examples) {
  const others = learn([...examples].flatMap(([other, theirs]) => (other === name ? [] : theirs)))
  if (values.write) writeWeights(new URL(`left-out/pieces-without-${name}.json`, import.meta.url), others)
  const rows: Record<string, Features> = { product: { ...WEIGHTS }, 'learned without this set': others }
  for (const feature of NAMES) rows[`without ${feature}`] = { ...WEIGHTS, [feature]: 0 }
  console.info(`\n## ${name}: ${own.length} questions with a document that answers\n`)
  console.info(`| weights | ${ROOMS.map((room) => `${room} characters`).join(' | ')} |`)
  console.info(`|---|${ROOMS.map(() => '---:|').join('')}`)
  for (const [label, weights] of Object.entries(rows))
    console.info(`| ${label} | ${ROOMS.map((room) => shareAnswered(own, weights, room).toFixed(3)).join(' | ')} |`)
}
process.exit(0)

function writeWeights(file: URL, weights: Features): void {
  writeFileSync(file, `${JSON.stringify(weights, null, 2)}\n`)
}

async function examplesOf(folder: string): Promise<Example[]> {
  const test = await createTestDatabase()
  const analyser = createAnalyser()
  const knowledge = await createKnowledge({
    db: test.db,
    analyser,
    embedders: [createBuiltInEmbedder({ analyser })],
    parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
    log: { info() {}, warn() {} },
  })
  const docs = join(folder, 'docs')
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => /\.mdx?$/.test(name))
  for (const name of names.toSorted()) {
    await knowledge.ingest({
      bytes: readFileSync(join(docs, name)),
      source: name,
      register: false,
      metadata: { knowledgeType: 'doc', productCategory: 'x', applicableVersion: 'latest', publishedAt: null },
      label: null,
      filePath: null,
    } as Parameters<typeof knowledge.ingest>[0])
  }
  const found: Example[] = []
  for (const line of readFileSync(join(folder, 'questions.jsonl'), 'utf8').split('\n')) {
    if (line.trim() === '') continue
    const { question, turn, answerable, handoff, sources, must } = JSON.parse(line) as Question
    if (turn > 1 || !answerable || handoff) continue
    const hits = await knowledge.search({ query: question, topK: SEARCHED, withSurroundings: true })
    const patterns = must.map((group) => group.map((pattern) => new RegExp(pattern, 'i')))
    for (const best of firstOfEach(hits, sources)) found.push({ question, must: patterns, best })
  }
  await knowledge.close()
  await test.close()
  return found
}

/** The best passage of each document that answers. */
function firstOfEach(hits: readonly SearchHit[], sources: readonly string[]): SearchHit[] {
  return sources.flatMap((source) => hits.find((hit) => hit.source === source && hit.question === null) ?? [])
}

function shareAnswered(own: readonly Example[], weights: Features, room: number): number {
  const kept = { ...WEIGHTS }
  Object.assign(WEIGHTS, weights)
  const right = own.filter(({ question, must, best }) => {
    const { text } = answeringExcerpt(question, best, [best], terms, room)
    return must.every((group) => group.some((pattern) => pattern.test(text)))
  })
  Object.assign(WEIGHTS, kept)
  return right.length / Math.max(1, own.length)
}

/** Softmax over the pieces of a document, by gradient; a piece that holds all of the answer counts four times one that holds a part. */
function learn(from: readonly Example[]): Features {
  const cases = from.flatMap(({ question, must, best }) => {
    const nearby = (best.around ?? []).filter((passage) => passage.question === null)
    const pieces = piecesOf(sectionsOf(nearby), ROOMS[0]! * 0.6)
    const held = pieces.map(
      ({ text }) => must.filter((group) => group.some((one) => one.test(text))).length / must.length,
    )
    const wanted = held.map((share) => (share === 1 ? 1 : share / 4))
    return wanted.some((value) => value > 0) ? [{ features: featuresOf(question, pieces, nearby, terms), wanted }] : []
  })
  const none = Object.fromEntries(NAMES.map((name) => [name, 0])) as unknown as Features
  const weights = { ...none, ...FIXED }
  for (let round = 0; round < ROUNDS; round++) {
    const slope = { ...none }
    for (const { features, wanted } of cases) {
      const given = shares(features.map((each) => NAMES.reduce((sum, name) => sum + weights[name] * each[name], 0)))
      const right = given.reduce((sum, share, i) => sum + share * wanted[i]!, 0)
      for (const [i, each] of features.entries())
        for (const name of NAMES) slope[name] += (given[i]! - (given[i]! * wanted[i]!) / right) * each[name]
    }
    for (const name of LEARNED) weights[name] -= RATE * (slope[name] / cases.length + PENALTY * weights[name])
  }
  for (const name of NAMES) weights[name] = Math.round(weights[name] * 1_000) / 1_000
  return weights
}

function shares(values: readonly number[]): number[] {
  const most = Math.max(...values)
  const powers = values.map((value) => Math.exp(value - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
