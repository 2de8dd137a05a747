import type { Static } from 'typebox'
import { listOfPaths } from '../config.ts'
import { type Chat, turnSettings } from '../features/chat/index.ts'
import {
  type Assistant,
  createEvaluation,
  type Evaluation,
  evaluationRoutes,
  rememberSearches,
  StartRequest,
} from '../features/evaluation/index.ts'
import type { Experiments } from '../features/experiments/index.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import { type RunKind, runRoutes } from '../features/runs/index.ts'
import type { Assistant as Speaking } from '../features/settings/index.ts'
import {
  type AutoTuner,
  autoRoutes,
  createAutoTuner,
  SearchRequest,
  type Tuner,
  type TunerParameters,
  tunerRoutes,
} from '../features/tuning/index.ts'
import type { WatchedRequest } from '../http/metrics.ts'
import type { App } from '../http/server.ts'
import { createExclusiveJob } from '../platform/exclusive-job.ts'
import { createFiles } from '../platform/files.ts'
import { createPriorityGate } from '../platform/priority-gate.ts'
import type { Ground } from './module.ts'

const BUILTIN_CASES = new URL('../../sample/evaluation/builtin.jsonl', import.meta.url).pathname

export interface EvaluationModuleOptions {
  chat: Pick<Chat, 'preview'>
  knowledge: Knowledge
  tuner: Tuner
  experiments: Pick<Experiments, 'trial'>
  /** How the assistant speaks: what is proven is what customers get. */
  assistant: Speaking
}

/** Everything that proves answers and makes them better by what was proven. */
export function openEvaluation({ config, db, log }: Ground, options: EvaluationModuleOptions) {
  const { knowledge, tuner } = options
  const assistant = assistantOf(options)
  const foreground = createPriorityGate()
  const evaluation = createEvaluation<TunerParameters>({
    db,
    files: createFiles(listOfPaths(config.FILE_ROOTS)),
    builtinPath: BUILTIN_CASES,
    assistant,
    parameters: () => tuner.current().params,
    knowledge,
    job: createExclusiveJob(db, 'evaluation', log),
    giveWay: foreground.giveWay,
  })
  const auto = createAutoTuner({
    db,
    tuner,
    loadCases: evaluation.testsets.load,
    createJudge() {
      const remembering = rememberSearches(assistant, (params) => JSON.stringify(turnSettings(params).retrieval))
      return (cases, params, signal) => evaluation.judge(cases, params, signal, remembering)
    },
    knowledgeVersion: async () => (await knowledge.stats()).revision,
    job: createExclusiveJob(db, 'automatic tuning', log),
    log,
  })

  return {
    service: evaluation,
    /** For the HTTP server: searches for an evaluation make way for what people wait for. */
    beginRequest: (request: WatchedRequest) => (isWaitedFor(request) ? foreground.begin() : () => {}),
    async routes(app: App): Promise<void> {
      tunerRoutes(app, { tuner })
      autoRoutes(app, { auto })
      for (const kind of [evaluationRuns(evaluation, options.experiments), searchRuns(auto)]) runRoutes(app, kind)
      await app.register((scope) => evaluationRoutes(scope, { evaluation, maxUploadMb: config.MAX_UPLOAD_MB }))
    },
    async close(): Promise<void> {
      await Promise.all([evaluation.close(), auto.close()])
    },
  }
}

/** Marks what a run left in an experiment, and not in a report. */
const TRIAL = 'experiment:'

function evaluationRuns(evaluation: Evaluation<TunerParameters>, experiments: Pick<Experiments, 'trial'>): RunKind {
  return {
    path: '/api/v1/evaluation/runs',
    tag: 'evaluation',
    what: 'an evaluation',
    body: StartRequest,
    stages: ['asking'],
    resultPath: (id) =>
      id.startsWith(TRIAL)
        ? `/api/v1/operations/experiments/${encodeURIComponent(id.slice(TRIAL.length))}/results`
        : `/api/v1/evaluation/reports/${id}`,
    runs: evaluation.runs,
    async start(body, by, closing) {
      const { testset_path: path, testset: name, top_k: topK, experiment } = body as Static<typeof StartRequest>
      const request = { path: path || undefined, name: name || undefined, topK }
      if (experiment === undefined) return evaluation.start(request, by, closing)
      const trial = await experiments.trial(experiment, { isTrusted: true })
      return evaluation.startTrial(request, { trial, resultId: `${TRIAL}${experiment}`, by }, closing)
    },
  }
}

function searchRuns(auto: AutoTuner): RunKind {
  return {
    path: '/api/v1/tuner/runs',
    tag: 'tuner',
    what: 'a search for better parameters',
    body: SearchRequest,
    stages: ['searching', 'proving'],
    resultPath: (searchId) => `/api/v1/tuner/searches/${searchId}`,
    runs: auto.runs,
    async start(body, by, closing) {
      const { testset_path: path, testset: name, apply, budget, seed } = body as Static<typeof SearchRequest>
      const request = { path: path || undefined, name: name || undefined, apply, budget, seed }
      return (await auto.start(request, closing, by)).runId
    },
  }
}

/** The assistant, whose parameters may be tried out. */
function assistantOf({ knowledge, chat, assistant }: EvaluationModuleOptions): Assistant<TunerParameters> {
  return {
    search: (query, topK, params) => {
      const { retrieval: parameters } = turnSettings(params)
      return knowledge.search({ query, topK, parameters, withSurroundings: true })
    },
    passagesPerAnswer: (params) => params.rerank_top_k,
    answer: (question, search, params) =>
      chat.preview({ ...question, search, settings: turnSettings(params, {}, assistant.current().settings) }),
  }
}

/** Customers and the people who answer them wait for what they send; streams of events stay open for hours. */
function isWaitedFor({ method, route }: WatchedRequest): boolean {
  return method === 'POST' && /^\/api\/v1\/(?:chat|gateway|agent)(?:\/|$)/.test(route)
}
