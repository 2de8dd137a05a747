import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import type { AutoTuner } from './auto.ts'
import { AutoBody, AutoRequest, AutoStatusBody } from './auto-schemas.ts'
import type { AutoReport } from './auto-types.ts'
import type { Performance } from './auto-worth.ts'

const tags = ['tuner']

export function autoRoutes(app: App, { auto }: { auto: Pick<AutoTuner, 'start' | 'running' | 'latest'> }): void {
  app.post(
    '/api/v1/tuner/auto',
    {
      schema: {
        summary: 'Search for better parameters',
        description:
          'Tries parameters on six tenths of a test set and proves the best on the rest. Applied only with `apply`, and ' +
          'only when the interval of the difference on the rest lies above 0. One search at a time. Answers 202 once it ' +
          'runs; GET shows how far it is and what it found. With `wait` it answers 200 with what it found.',
        tags,
        body: AutoRequest,
        response: { 200: AutoBody, 202: AutoStatusBody, ...errors(400, 401, 404, 409, 422, 503) },
      },
    },
    async ({ body }, reply) => {
      const { testset_path: path, testset: name, apply, budget, seed } = body
      const request = { path: path || undefined, name: name || undefined, apply, budget, seed }
      const { ended } = await auto.start(request, app.closing)
      if (body.wait) return presentAuto(await ended)
      reply.code(202)
      return presentStatus(auto)
    },
  )

  app.get(
    '/api/v1/tuner/auto',
    {
      schema: {
        summary: 'How far a search is, and what the last one found',
        tags,
        response: { 200: AutoStatusBody, ...errors(401, 503) },
      },
    },
    () => presentStatus(auto),
  )
}

async function presentStatus(auto: Pick<AutoTuner, 'running' | 'latest'>) {
  const [running, last] = [await auto.running(), await auto.latest()]
  return {
    running: running && {
      testset: running.subject,
      done: running.done,
      total: running.total,
      started_at: running.startedAt.toISOString(),
    },
    last: last && presentAuto(last),
  }
}

function presentAuto(report: AutoReport & { createdAt: Date }) {
  const { current, best } = report
  return {
    search_id: report.searchId,
    created_at: report.createdAt.toISOString(),
    testset: report.testset,
    seed: report.seed,
    knowledge_version: report.knowledgeVersion,
    train_cases: report.trainCases,
    held_out_cases: report.heldOutCases,
    candidates_tried: report.candidates.length,
    candidates: report.candidates,
    current: { params: current.params, train: present(current.train), held_out: present(current.heldOut) },
    best: { changes: best.changes, train: present(best.train), held_out: present(best.heldOut) },
    difference: report.difference,
    verdict: report.verdict,
    applied: report.applied,
    reason: report.reason,
    tuner_version: report.tunerVersion,
  }
}

function present({ score, mrr, answerAccuracy }: Performance) {
  return { score, mrr, answer_accuracy: answerAccuracy }
}
