import { builtInMeaning } from '../ai/embedder/built-in.ts'
import type { Chat } from '../features/chat/index.ts'
import { createGaps, type GapsOptions, gapRoutes } from '../features/gaps/index.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import type { Solutions } from '../features/solutions/index.ts'
import type { Tuner } from '../features/tuning/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import { maskText } from '../privacy/index.ts'
import type { Ground } from './module.ts'

export interface GapsModuleOptions extends Pick<GapsOptions, 'languageOf'> {
  analyser: Analyser
  knowledge: Knowledge
  chat: Pick<Chat, 'preview'>
  solutions: Pick<Solutions, 'waiting'>
  tuner: Pick<Tuner, 'current'>
}

const NEAREST = 3

/** Questions that customers asked in vain. */
export function openGaps(
  { db }: Ground,
  { analyser, knowledge, chat, solutions, tuner, languageOf }: GapsModuleOptions,
) {
  const gaps = createGaps({
    db,
    languageOf,
    answer: (message) => chat.preview({ message, history: [] }),
    nearest: async (query) => {
      const hits = await knowledge.search({ query, topK: 3 * NEAREST, isRough: true })
      const best = new Map(hits.toReversed().map(({ docId, source, score }) => [docId, { docId, source, score }]))
      return [...best.values()].sort((a, b) => b.score - a.score).slice(0, NEAREST)
    },
    answersMarker: async () => `${await knowledge.revision()}.${tuner.current().version}`,
    waitingSolutions: solutions.waiting,
    meaningOf: (text) => builtInMeaning(analyser.words(text), 'question'),
    mask: maskText,
    now: () => performance.now(),
  })
  return { service: gaps, routes: (app: App) => gapRoutes(app, { gaps }), close: () => {} }
}
