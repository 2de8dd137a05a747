import type { Static } from 'typebox'
import type { Chat } from '../features/chat/index.ts'
import {
  createMining,
  type Mining,
  type MiningOptions,
  MiningRequest,
  miningRoutes,
  toTicketFilter,
} from '../features/mining/index.ts'
import { type RunKind, runRoutes } from '../features/runs/index.ts'
import type { Solutions } from '../features/solutions/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import { createExclusiveJob } from '../platform/exclusive-job.ts'
import type { Ground } from './module.ts'

export interface MiningModuleOptions extends Pick<MiningOptions, 'live' | 'handoff' | 'knowledge'> {
  solutions: MiningOptions['solutions'] & Pick<Solutions, 'draft'>
  chat: Pick<Chat, 'preview'>
  analyser: Analyser
  /** That the analyser was made with. */
  userDictionary: string
}

/** Problems that come up again and again in what people answered. */
export function openMining(
  { config, db, log }: Ground,
  { chat, analyser, userDictionary, ...needed }: MiningModuleOptions,
) {
  const mining = createMining({
    db,
    ...needed,
    draft: config.DRAFT_SOLUTIONS ? needed.solutions.draft : null,
    isAnswered: async (message) => (await chat.preview({ message, history: [] })).confidence === 'sure',
    wordsOf: (text) => analyser.words(text),
    job: createExclusiveJob(db, 'mining', log),
    settings: { userDictionary },
    minFrequency: config.MINING_MIN_FREQUENCY,
    log,
  })
  const maxUploadMb = config.MAX_UPLOAD_MB
  return {
    async routes(app: App): Promise<void> {
      runRoutes(app, miningRuns(mining))
      await app.register((scope) => miningRoutes(scope, { mining, maxUploadMb }))
    },
    close: mining.close,
  }
}

function miningRuns(mining: Mining): RunKind {
  return {
    path: '/api/v1/mining/runs',
    tag: 'mining',
    what: 'a run over past tickets',
    body: MiningRequest,
    stages: ['reading', 'finding', 'proposing'],
    resultPath: (reportId) => `/api/v1/mining/reports/${reportId}`,
    runs: mining.runs,
    start: async (body, by) => mining.start(toTicketFilter(body as Static<typeof MiningRequest>), by),
  }
}
