import {
  addSolution,
  approveEscalationSolution,
  type GetEscalationSolution,
  reopenEscalationSolution,
  setEscalationSolution,
  submitEscalationSolution,
} from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { to } from '../shell/router.ts'
import { asAgent } from '../shell/session.ts'
import { toast } from '../ui/toasts.tsx'
import { say } from './solution-words.ts'

export type Solution = GetEscalationSolution['result']

export interface Wording {
  question: string
  solution: string
}

/** Stores the wording: of the solution with this id, or as a new one that waits for review. */
export function keepSolution(id: string | undefined, wording: Wording, sessionId?: string): Promise<Solution> {
  if (id) return setEscalationSolution(desk, { path: { solution_id: id }, body: wording })
  return addSolution(desk, { body: { ...wording, ...(sessionId ? { session_id: sessionId } : {}) } })
}

/** Publishes a solution. A draft is handed in on the way: whoever may approve it need not ask twice. */
export async function publish({ solution_id: id, status }: Solution): Promise<Solution> {
  const path = { solution_id: id }
  if (status === 'draft') await submitEscalationSolution(desk, { path })
  return approveEscalationSolution(desk, { path, body: { ...asAgent.value } })
}

/** Publishes a solution and says so; taken back, it waits for review again and its document is gone. */
export async function approveSolution(solution: Solution, afterUndo?: () => unknown): Promise<Solution> {
  const approved = await publish(solution)
  toast({
    text: say('approved'),
    link: { text: say('see'), address: to('solutions', approved.solution_id) },
    undo: async () => {
      await reopen(approved.solution_id)
      await afterUndo?.()
    },
  })
  return approved
}

/** Takes a review back. */
export function reopen(id: string): Promise<Solution> {
  return reopenEscalationSolution(desk, { path: { solution_id: id } })
}

export async function handIn(id: string): Promise<void> {
  await submitEscalationSolution(desk, { path: { solution_id: id } })
  toast({ text: say('submitted'), link: { text: say('see'), address: to('solutions', id) } })
}
