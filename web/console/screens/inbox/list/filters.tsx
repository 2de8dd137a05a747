import { listAgentLabels } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Choice } from '../../../ui/fields.tsx'
import { nameOf } from '../../../ui/names.ts'
import { useResource } from '../../../ui/resource.tsx'
import { say } from '../words.ts'
import type { View } from './sessions.ts'

const STATUSES = ['none', 'pending', 'assigned', 'resolved'] as const
const CHANNELS = ['web', 'app', 'wechat', 'dingtalk', 'email', 'api'] as const

/** Narrows the list of all conversations. */
export function Filters({ view, onChange }: { view: View; onChange: (change: Partial<View>) => void }) {
  const labels = useResource('labels', (signal) => listAgentLabels(desk, { signal }))
  const known = labels.data.value?.labels ?? []
  return (
    <div class="inbox-filters">
      <Choice
        isBare
        label={say('status')}
        value={view.status}
        onChange={(status) => onChange({ status })}
        options={[
          { value: '', text: say('anyStatus') },
          ...STATUSES.map((value) => ({ value, text: nameOf.status(value) })),
        ]}
      />
      <Choice
        isBare
        label={say('channel')}
        value={view.channel}
        onChange={(channel) => onChange({ channel })}
        options={[
          { value: '', text: say('anyChannel') },
          ...CHANNELS.map((value) => ({ value, text: nameOf.channel(value) })),
        ]}
      />
      {known.length > 0 && (
        <Choice
          isBare
          label={say('label')}
          value={view.label}
          onChange={(label) => onChange({ label })}
          options={[
            { value: '', text: say('anyLabel') },
            ...known.map(({ label_id: value, name: text }) => ({ value, text })),
          ]}
        />
      )}
    </div>
  )
}
