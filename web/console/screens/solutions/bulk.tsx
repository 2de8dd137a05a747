import { useSignal } from '@preact/signals'
import { rejectEscalationSolution } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { publish, type Solution, withdraw } from '../../parts/solutions.ts'
import { asAgent } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/failure.ts'
import { Progress } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RejectDialog } from './reject.tsx'
import { say } from './words.ts'

/** Decides on several solutions at once; who changes their mind takes all of them back. */
export function Bulk({ solutions, onDone }: { solutions: readonly Solution[]; onDone: () => Promise<void> }) {
  const done = useSignal<number | null>(null)
  const isCancelled = useSignal(false)
  const isRejecting = useSignal(false)
  const each = async (work: (solution: Solution) => Promise<unknown>) => {
    const failures: unknown[] = []
    done.value = 0
    isCancelled.value = false
    for (const solution of solutions) {
      if (isCancelled.value) break
      await work(solution).catch((error: unknown) => failures.push(error))
      done.value += 1
    }
    done.value = null
    if (failures.length > 0)
      toast({ kind: 'bad', text: say('refused', { n: failures.length, why: explain(failures[0]) }) })
    await onDone()
  }
  const approve = async () => {
    const approved: Solution[] = []
    await each(async (solution) => {
      approved.push(await publish(solution))
    })
    toast({
      text: say('approvedMany', { n: approved.length }),
      undo: async () => {
        for (const solution of approved) await withdraw(solution)
        await onDone()
      },
    })
  }
  const reject = async (reason: string) => {
    const { length } = solutions
    await each(({ solution_id: id }) =>
      rejectEscalationSolution(desk, { path: { solution_id: id }, body: { reason, ...asAgent.value } }),
    )
    toast({ text: say('rejectedMany', { n: length }) })
  }
  return (
    <div class="page-bar">
      {done.value === null ? (
        <>
          <span>{say('marked', { n: solutions.length })}</span>
          <Button kind="primary" isSmall onPress={approve}>
            {say('approveMarked')}
          </Button>
          <Button isSmall onPress={() => void (isRejecting.value = true)}>
            {say('rejectMarked')}
          </Button>
        </>
      ) : (
        <div class="grow">
          <Progress
            label={say('approving')}
            done={done.value}
            total={solutions.length}
            onCancel={() => (isCancelled.value = true)}
          />
        </div>
      )}
      {isRejecting.value && <RejectDialog onReject={reject} onClose={() => (isRejecting.value = false)} />}
    </div>
  )
}
