import { AppError } from '../../kernel/errors.ts'
import type { Chat, turnSettings } from '../chat/index.ts'
import type { ExplainedSearch, Knowledge } from '../knowledge/index.ts'
import { findProblems, type TunerParameters } from '../tuning/index.ts'

type TurnSettings = ReturnType<typeof turnSettings>
type Preview = Awaited<ReturnType<Chat['preview']>>

export interface PlaygroundOptions {
  explain: Knowledge['explain']
  /** The reply to a question by itself, which nothing stores. */
  preview(message: string, settings: TurnSettings): Promise<Preview>
  /** In force now. */
  parameters(): TunerParameters
  settingsOf(parameters: TunerParameters): TurnSettings
}

export interface Trial {
  query: string
  topK?: number | undefined
  /** `staff`: what they find; the reply is a customer's in any case. */
  audience: 'customers' | 'staff'
  /** In place of those in force, for this question alone. */
  changes: Record<string, unknown>
}

export interface Tried {
  query: string
  found: ExplainedSearch
  reply: Preview
  parameters: TunerParameters
  thresholds: TurnSettings['thresholds']
}

export type Playground = ReturnType<typeof createPlayground>

/** Questions tried out: what customers would find and be told, by the parameters in force or by others. */
export function createPlayground({ explain, preview, parameters, settingsOf }: PlaygroundOptions) {
  return {
    /** Throws invalid that names every wrong parameter. */
    async search({ query, topK, audience, changes }: Trial): Promise<Tried> {
      const current = parameters()
      const problems = findProblems(changes, current)
      if (problems.length > 0) {
        throw new AppError('invalid', 'tuner_params', problems.map((problem) => `params.${problem}`).join('; '))
      }
      const wanted = { ...current, ...(changes as Partial<TunerParameters>) }
      const settings = settingsOf(wanted)
      const [found, reply] = await Promise.all([
        explain({ query, audience, parameters: settings.retrieval, ...(topK === undefined ? {} : { topK }) }),
        preview(query, settings),
      ])
      return { query, found, reply, parameters: wanted, thresholds: settings.thresholds }
    },
  }
}
