import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { acceptKnowledgeFinding } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { archiveWithUndo } from '../document/take-out.ts'
import { FindingPair } from './finding-pair.tsx'
import type { Finding, Side } from './findings.ts'
import { say } from './words.ts'

const STEP = 30

/** Findings that wait for a decision; one that is settled goes, and comes back by its undo. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const settled = useSignal<ReadonlySet<string>>(new Set())
  const limit = useSignal(STEP)
  const box = useRef<HTMLDivElement>(null)
  const settle = (keys: readonly string[], isSettled: boolean) => {
    const next = new Set(settled.value)
    for (const key of keys) isSettled ? next.add(key) : next.delete(key)
    settled.value = next
  }
  const move = (step: number) => {
    const cards = [...(box.current?.querySelectorAll<HTMLElement>('.finding') ?? [])]
    const at = cards.indexOf(document.activeElement?.closest<HTMLElement>('.finding') as HTMLElement)
    cards[Math.max(0, Math.min(cards.length - 1, at + step))]?.focus()
  }
  useKeys({
    j: { label: say('nextFinding'), run: () => move(1) },
    k: { label: say('previousFinding'), run: () => move(-1) },
  })
  const keepBoth = async ({ key, sides: [{ chunkId: a }, { chunkId: b }] }: Finding) => {
    const accept = (accepted: boolean) => acceptKnowledgeFinding(desk, { body: { a, b, accepted } })
    await accept(true)
    settle([key], true)
    toast({
      text: say('kept'),
      undo: async () => {
        await accept(false)
        settle([key], false)
      },
    })
  }
  const archive = async ({ docId, source }: Side) => {
    const keys = open.filter(({ sides }) => sides.some((side) => side.docId === docId)).map(({ key }) => key)
    await archiveWithUndo({ doc_id: docId, source }, () => settle(keys, false))
    settle(keys, true)
  }
  const open = findings.filter(({ key }) => !settled.value.has(key))
  if (findings.length > 0 && open.length === 0) return <Empty title={say('allDone')} />
  const shown = open.slice(0, limit.value)
  const groups = [
    { name: 'conflicts' as const, of: (finding: Finding) => finding.kind !== 'duplicate' },
    { name: 'duplicates' as const, of: (finding: Finding) => finding.kind === 'duplicate' },
  ]
  return (
    <div ref={box} class="stack">
      {groups.map(({ name, of }) => {
        const own = shown.filter(of)
        if (own.length === 0) return null
        return (
          <section key={name} class="stack" aria-label={say(name)}>
            <h2>
              {say(name)} <span class="second number">{open.filter(of).length}</span>
            </h2>
            {own.map((finding) => (
              <FindingPair key={finding.key} finding={finding} onKeep={() => keepBoth(finding)} onArchive={archive} />
            ))}
          </section>
        )
      })}
      {open.length > shown.length && (
        <Button onPress={() => void (limit.value += STEP)}>{say('more', { n: open.length - shown.length })}</Button>
      )}
    </div>
  )
}
