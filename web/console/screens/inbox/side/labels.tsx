import { useSignal } from '@preact/signals'
import {
  listAgentLabels,
  listAgentSessionLabels,
  setAgentSessionLabels,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { useLive } from '../../../shell/live.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Check } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

/** Labels of the conversation, and which it could have. */
export function Labels({ sessionId }: { sessionId: string }) {
  const path = { session_id: sessionId }
  const isEditing = useSignal(false)
  const own = useResource(sessionId, async (signal) => (await listAgentSessionLabels(desk, { path, signal })).labels)
  const all = useResource('all', async (signal) => (await listAgentLabels(desk, { signal })).labels)
  useLive((event) => {
    if (event.event === 'labels' && event.data.session_id === sessionId) void own.reload()
  })
  const set = async (labelId: string, isOn: boolean) => {
    const ids = (own.data.value ?? []).map(({ label_id: id }) => id).filter((id) => id !== labelId)
    const body = { label_ids: isOn ? [...ids, labelId] : ids }
    try {
      own.data.value = (await setAgentSessionLabels(desk, { path, body })).labels
    } catch (error) {
      toast({ kind: 'bad', text: explain(error) })
    }
  }
  return (
    <section aria-labelledby="labels-title">
      <div class="row">
        <h2 id="labels-title" class="grow">
          {say('labels')}
        </h2>
        <Button
          isSmall
          kind="ghost"
          isPressed={isEditing.value}
          onPress={() => void (isEditing.value = !isEditing.value)}
        >
          {say('editLabels')}
        </Button>
      </div>
      <Shown of={own} rows={1}>
        {(labels) =>
          isEditing.value ? (
            <div>
              {all.data.value?.length === 0 && <p class="second">{say('noLabels')}</p>}
              {all.data.value?.map(({ label_id: id, name }) => (
                <div key={id}>
                  <Check
                    label={name}
                    checked={labels.some((each) => each.label_id === id)}
                    onChange={(isOn) => void set(id, isOn)}
                  />
                </div>
              ))}
            </div>
          ) : (
            <div class="row">
              {labels.map(({ label_id: id, name, colour }) => (
                <span key={id} class="label-tag" data-colour={colour}>
                  {name}
                </span>
              ))}
            </div>
          )
        }
      </Shown>
    </section>
  )
}
