import { useSignal } from '@preact/signals'
import { addEvaluationTestsetCase, listEvaluationTestsets } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { to } from '../../shell/router.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/fields.tsx'
import { useResource } from '../../ui/resource.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Found } from './column.tsx'
import { say } from './words.ts'

const DEFAULT_SET = 'playground'

/** Keeps the question, with the document that should answer it, for evaluations. */
export function CaseDialog({ q, hits, onClose }: { q: string; hits: Found['hits']; onClose: () => void }) {
  const sources = [...new Set(hits.map(({ source }) => source))]
  const name = useSignal(DEFAULT_SET)
  const expected = useSignal(sources[0] ?? '')
  const sets = useResource('testsets', (signal) => listEvaluationTestsets(desk, { signal }))
  const save = async () => {
    const body = { query: q, expected_sources: expected.value ? [expected.value] : [] }
    const { cases } = await addEvaluationTestsetCase(desk, { path: { name: name.value.trim() }, body })
    toast({
      text: say('caseSaved', { n: cases }),
      link: { text: say('seeEvaluation'), address: to('evaluation') },
    })
    onClose()
  }
  return (
    <Dialog title={say('caseTitle')} onClose={onClose}>
      <p class="second">{say('caseText')}</p>
      <p>
        <strong>{q}</strong>
      </p>
      <Choice
        label={say('expected')}
        value={expected.value}
        onChange={(value) => (expected.value = value)}
        options={[...sources.map((value) => ({ value, text: value })), { value: '', text: say('noExpected') }]}
      />
      <Field label={say('set')}>
        {(control) => (
          <>
            <input
              {...control}
              list="testsets"
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
            <datalist id="testsets">
              {(sets.data.value ?? [])
                .filter((each) => each.created_at !== null)
                .map((each) => (
                  <option key={each.name} value={each.name} />
                ))}
            </datalist>
          </>
        )}
      </Field>
      <footer class="dialog-footer">
        <Button kind="primary" onPress={save} disabled={name.value.trim() === ''}>
          {say('saveCase')}
        </Button>
      </footer>
    </Dialog>
  )
}
