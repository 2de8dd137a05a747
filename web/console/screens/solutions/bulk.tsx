import { useSignal } from '@preact/signals'
import { rejectEscalationSolution } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { publish, reopen, type Solution } from '../../parts/solutions.ts'
import { asAgent } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/failure.ts'
import { Progress } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RejectDialog } from './reject.tsx'
import { say } from './words.ts'

type Doing = 'approving' | 'rejecting' | 'undoing'

/** Decides on several solutions at once, one after the other; who changes their mind takes all of them back. */
export function Bulk(props: { solutions: readonly Solution[]; onDone: () => Promise<void>; onClear: () => void }) {
  const { solutions, onDone, onClear } = props
  const doing = useSignal<{ what: Doing; done: number; total: number } | null>(null)
  const isCancelled = useSignal(false)
  const isRejecting = useSignal(false)
  /** @returns those for which it worked, as far as it came */
  const each = async (
    what: Doing,
    all: readonly Solution[],
    work: (solution: Solution) => Promise<unknown>,
  ): Promise<Solution[]> => {
    const failures: unknown[] = []
    const worked: Solution[] = []
    isCancelled.value = false
    for (const [done, solution] of all.entries()) {
      if (isCancelled.value) break
      doing.value = { what, done, total: all.length }
      await work(solution).then(
        () => worked.push(solution),
        (error: unknown) => failures.push(error),
      )
    }
    doing.value = null
    if (failures.length > 0)
      toast({ kind: 'bad', text: say('refused', { n: failures.length, why: explain(failures[0]) }) })
    return worked
  }
  const decide = async (what: 'approving' | 'rejecting', work: (solution: Solution) => Promise<unknown>) => {
    const worked = await each(what, solutions, work)
    await onDone()
    if (worked.length === 0) return
    toast({
      text: say(what === 'approving' ? 'approvedMany' : 'rejectedMany', { n: worked.length }),
      undo: async () => {
        await each('undoing', worked, ({ solution_id: id }) => reopen(id))
        await onDone()
      },
    })
  }
  const reject = async (reason: string) => {
    isRejecting.value = false
    await decide('rejecting', ({ solution_id: id }) =>
      rejectEscalationSolution(desk, { path: { solution_id: id }, body: { reason, ...asAgent.value } }),
    )
  }
  if (doing.value) {
    const { what, done, total } = doing.value
    return (
      <div class="page-bar">
        <div class="grow">
          <Progress label={say(what)} done={done} total={total} onCancel={() => (isCancelled.value = true)} />
        </div>
      </div>
    )
  }
  if (solutions.length === 0) return null
  return (
    <div class="page-bar">
      <span>{say('marked', { n: solutions.length })}</span>
      <Button kind="primary" isSmall onPress={() => decide('approving', publish)}>
        {say('approveMarked')}
      </Button>
      <Button isSmall onPress={() => void (isRejecting.value = true)}>
        {say('rejectMarked')}
      </Button>
      <Button isSmall kind="ghost" onPress={onClear}>
        {say('unmarkAll')}
      </Button>
      {isRejecting.value && <RejectDialog onReject={reject} onClose={() => (isRejecting.value = false)} />}
    </div>
  )
}
