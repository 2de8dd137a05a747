import { useSignal } from '@preact/signals'
import { addOperationsExperiment, getTunerParams } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { go, to } from '../../shell/router.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { explain } from '../../ui/failure.ts'
import { Choice, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { nameOfParam } from '../../ui/params.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { toast } from '../../ui/toasts.tsx'
import { say } from './words.ts'

const METRICS = ['handoff', 'resolved', 'feedback', 'rating'] as const
type Metric = (typeof METRICS)[number]
const PARAMS = [
  'direct_answer_threshold',
  'clarify_threshold',
  'rerank_top_k',
  'vector_weight',
  'title_weight',
  'escalate_after_failures',
] as const
type Param = (typeof PARAMS)[number]
const HALF = '50'

/** Gives a share of the customers another value of one setting. */
export function NewExperiment({ onClose, onStarted }: { onClose: () => void; onStarted: () => Promise<void> }) {
  const tuner = useResource('params', (signal) => getTunerParams(desk, { signal }))
  const name = useSignal('')
  const description = useSignal('')
  const metric = useSignal<Metric>('handoff')
  const param = useSignal<Param>('direct_answer_threshold')
  const value = useSignal('')
  const share = useSignal(HALF)
  const error = useSignal('')
  const start = async () => {
    error.value = ''
    const fraction = Number(share.value) / 100
    const [current, changed] = ['current', 'changed']
    try {
      const added = await addOperationsExperiment(desk, {
        body: {
          name: name.value.trim(),
          description: description.value,
          variants: [current, changed],
          traffic_split: { [current]: Math.round((1 - fraction) * 1000) / 1000, [changed]: fraction },
          metric: metric.value,
          variant_params: { [changed]: { [param.value]: Number(value.value) } },
        },
      })
      toast({ text: say('started') })
      await onStarted()
      go(to('experiments', added.name))
      onClose()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Dialog title={say('new')} onClose={onClose}>
      <Form class="stack" onSubmit={start}>
        <TextField
          label={say('name')}
          value={name.value}
          onInput={(text) => (name.value = text)}
          error={error.value || undefined}
        />
        <TextField
          label={say('description')}
          value={description.value}
          onInput={(text) => (description.value = text)}
        />
        <Choice
          label={say('metric')}
          value={metric.value}
          onChange={(next) => (metric.value = next)}
          options={METRICS.map((each) => ({ value: each, text: say(`metric.${each}`) }))}
        />
        <Choice
          label={say('param')}
          value={param.value}
          onChange={(next) => (param.value = next)}
          options={PARAMS.map((each) => ({ value: each, text: nameOfParam(each) }))}
        />
        <Shown of={tuner} rows={1}>
          {({ params, ranges }) => (
            <TextField
              type="number"
              step="any"
              label={say('value')}
              hint={`${say('current')}: ${params[param.value]} (${ranges[param.value]?.min} – ${ranges[param.value]?.max})`}
              value={value.value}
              onInput={(text) => (value.value = text)}
            />
          )}
        </Shown>
        <TextField
          type="number"
          min={1}
          max={99}
          label={say('share')}
          value={share.value}
          onInput={(text) => (share.value = text)}
        />
        <footer class="dialog-footer">
          <Button onPress={onClose}>{say('cancel')}</Button>
          <Button kind="primary" type="submit" disabled={name.value.trim() === '' || value.value === ''}>
            {say('start')}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}
