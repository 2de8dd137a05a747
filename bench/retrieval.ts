// How well and how fast passages are found, over HTTP, beside two search libraries on the same documents and queries.
// Run: npm run bench:retrieval -- --data FOLDER [--data FOLDER …] [--abstention] [--url URL [--key KEY]]
import { parseArgs } from 'node:util'
import { noteFigure } from './figures.ts'
import { type FaqSet, readSet, repeatsTitles, withoutTitles } from './retrieval/data.ts'
import { createLibraries } from './retrieval/libraries.ts'
import { createMapping, sourcesOf } from './retrieval/mapping.ts'
import { areaUnderCurve, measure, printFigures } from './retrieval/measure.ts'
import { connect, type Server, startServer } from './retrieval/server.ts'

const RESULTS = 10
const LEARNED_ON = ['covid_faq_en', 'tidb_faq_zh']
const USAGE =
  'Usage: npm run bench:retrieval -- --data FOLDER [--data FOLDER …] [--abstention] [--url URL [--key KEY]]\n' +
  'A folder holds docs.jsonl (doc_id, title, text), queries.jsonl (query_id, text), qrels.tsv and, if it likes, md/*.md.'

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    url: { type: 'string' },
    key: { type: 'string' },
    abstention: { type: 'boolean' },
  },
})
if (!values.data) throw new Error(USAGE)

const sets = values.data.map(readSet)
await compare('As uploaded', sets, sets)
const stripped = sets.map((set) => (repeatsTitles(set) ? withoutTitles(set) : set))
const changed = stripped.filter((set, i) => set !== sets[i])
if (changed.length > 0) await compare('Titles removed where the queries repeat them', stripped, changed)
if (values.abstention) await abstention(stripped)
if (sets.some(({ name }) => LEARNED_ON.includes(name))) {
  console.log(
    '\nThe built-in ranking was learned on these sets. How it ranks questions that it has not seen, cross-validated:',
  )
  console.log('docs/decisions/0070-ranking.md')
}

/** All sets are in one server and in one index of each library; `asked` are those whose queries are asked. */
async function compare(title: string, loaded: readonly FaqSet[], asked: readonly FaqSet[]): Promise<void> {
  console.log(`\n# ${title}`)
  await withServer(loaded, async (server) => {
    const docIdOf = createMapping(loaded)
    const frontdesk = {
      name: 'Frontdesk, over HTTP',
      search: async (query: string) => (await server.recommend(query, RESULTS)).map(docIdOf),
    }
    const engines = [frontdesk, ...(await createLibraries(loaded.flatMap(({ documents }) => documents)))]
    for (const set of asked) {
      const rows = []
      for (const engine of engines) rows.push(await measure(engine, set.queries))
      printFigures(`${set.name}: ${set.documents.length} documents, ${set.queries.length} queries`, rows)
      await printChat(server, set)
    }
  })
}

async function printChat(server: Server, set: FaqSet): Promise<void> {
  let right = 0
  for (const { text, relevant } of set.queries) {
    const reply = await server.chat(text)
    if (!reply) return console.log('chat: this server has none')
    const [first] = reply.data.sources
    if (first && sourcesOf(set, relevant).has(first.source)) right++
  }
  console.log(`chat: the first source is the right one in ${((100 * right) / set.queries.length).toFixed(1)} %`)
}

/** Scores of a set's own queries against those of the other sets, which nothing that is loaded answers. */
async function abstention(all: readonly FaqSet[]): Promise<void> {
  console.log(
    '\n# Abstention: does the top score tell answerable queries from the other sets’ queries? (area under the curve)',
  )
  for (const set of all) {
    await withServer([set], async (server) => {
      const own = await topScores(server, set)
      const foreign = []
      for (const other of all) if (other !== set) foreign.push(...(await topScores(server, other)))
      const area = areaUnderCurve(own, foreign).toFixed(3)
      noteFigure(`${set.name}: abstention, area under the curve`, area)
      console.log(`${set.name}: ${area}`)
    })
  }
}

async function topScores(server: Server, set: FaqSet): Promise<number[]> {
  const scores = []
  for (const { text } of set.queries) scores.push((await server.recommend(text, 1))[0]?.score ?? 0)
  return scores
}

async function withServer(loaded: readonly FaqSet[], work: (server: Server) => Promise<void>): Promise<void> {
  const server = values.url ? connect(values.url, values.key) : await startServer()
  try {
    await load(server, loaded)
    await work(server)
  } finally {
    await server.stop()
  }
}

async function load(server: Server, loaded: readonly FaqSet[]): Promise<void> {
  const start = performance.now()
  const uploads = loaded.flatMap((set) => set.uploads)
  let chunks = 0
  for (const upload of uploads) chunks += (await server.upload(upload)).chunk_count
  const seconds = (performance.now() - start) / 1000
  console.log(`${uploads.length} files uploaded, ${chunks} passages, in ${seconds.toFixed(1)} s`)
}
