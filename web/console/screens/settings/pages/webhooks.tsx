import { useSignal } from '@preact/signals'
import {
  addWebhook,
  deleteWebhook,
  type ListWebhooks,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhookDelivery,
  setWebhook,
  testWebhook,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { explain } from '../../../ui/failure.ts'
import { Check, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Secret } from '../../../ui/secret.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { When } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { nameOfEvent, say } from '../words.ts'

type Webhook = ListWebhooks['result']['webhooks'][number]
type EventName = Exclude<Webhook['events'][number], '*'>

const EVENTS: readonly EventName[] = [
  'conversation.waiting',
  'conversation.assigned',
  'conversation.resolved',
  'conversation.returned',
  'conversation.rated',
  'gap.found',
  'solution.approved',
  'alert.fired',
  'alert.resolved',
]
const TONES = { waiting: 'plain', sent: 'good', failed: 'bad' } as const
const SHOWN = 20

/** Programs elsewhere that are told of what happens. */
export function WebhooksPage() {
  const webhooks = useResource('webhooks', (signal) => listWebhooks(desk, { signal }))
  const secret = useSignal<string | null>(null)
  return (
    <>
      <NewWebhook
        onAdded={async (made) => {
          secret.value = made
          await webhooks.reload()
        }}
      />
      {secret.value && <Secret label={say('webhooks.secret')} value={secret.value} />}
      <Shown of={webhooks}>
        {({ webhooks: all }) =>
          all.length === 0 ? (
            <p class="second">{say('webhooks.none')}</p>
          ) : (
            <ul class="stack">
              {all.map((webhook) => (
                <WebhookView key={webhook.webhook_id} webhook={webhook} reload={webhooks.reload} />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}

function NewWebhook({ onAdded }: { onAdded: (secret: string) => Promise<void> }) {
  const url = useSignal('')
  const events = useSignal<readonly EventName[]>(['conversation.waiting'])
  const error = useSignal('')
  const add = async () => {
    error.value = ''
    try {
      const { secret } = await addWebhook(desk, { body: { url: url.value.trim(), events: [...events.value] } })
      url.value = ''
      await onAdded(secret)
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="stack" onSubmit={add}>
      <TextField
        type="url"
        label={say('webhooks.url')}
        placeholder="https://example.com/frontdesk"
        value={url.value}
        onInput={(text) => (url.value = text)}
        error={error.value || undefined}
      />
      <fieldset class="row">
        <legend class="unseen">{say('webhooks.events')}</legend>
        {EVENTS.map((name) => (
          <Check
            key={name}
            label={nameOfEvent(name)}
            checked={events.value.includes(name)}
            onChange={(isOn) =>
              (events.value = isOn ? [...events.value, name] : events.value.filter((each) => each !== name))
            }
          />
        ))}
      </fieldset>
      <div>
        <Button kind="primary" type="submit" disabled={url.value.trim() === '' || events.value.length === 0}>
          {say('add')}
        </Button>
      </div>
    </Form>
  )
}

function WebhookView({ webhook, reload }: { webhook: Webhook; reload: () => Promise<void> }) {
  const path = { webhook_id: webhook.webhook_id }
  const isOpen = useSignal(false)
  const isRemoving = useSignal(false)
  return (
    <li class="stack">
      <div class="row">
        <strong class="grow">{webhook.url}</strong>
        <Tag tone={webhook.is_active ? 'good' : 'warn'}>
          {say(webhook.is_active ? 'webhooks.active' : 'webhooks.paused')}
        </Tag>
        <Button
          isSmall
          onPress={async () => {
            await testWebhook(desk, { path })
            isOpen.value = true
            toast({ text: say('webhooks.tested') })
          }}
        >
          {say('webhooks.test')}
        </Button>
        <Button
          isSmall
          onPress={async () => {
            await setWebhook(desk, { path, body: { is_active: !webhook.is_active } })
            await reload()
          }}
        >
          {say(webhook.is_active ? 'webhooks.pause' : 'webhooks.resume')}
        </Button>
        <Button isSmall isPressed={isOpen.value} onPress={() => void (isOpen.value = !isOpen.value)}>
          {say('webhooks.deliveries')}
        </Button>
        <Button isSmall kind="danger" onPress={() => void (isRemoving.value = true)}>
          {say('remove')}
        </Button>
      </div>
      <p class="second dense">{webhook.events.map((name) => nameOfEvent(name)).join(' · ')}</p>
      {webhook.disabled_reason && <p class="field-error">{webhook.disabled_reason}</p>}
      {isOpen.value && <Deliveries id={webhook.webhook_id} />}
      {isRemoving.value && (
        <Confirm
          title={say('remove')}
          text={say('webhooks.removeText')}
          action={say('remove')}
          onClose={() => (isRemoving.value = false)}
          onConfirm={async () => {
            await deleteWebhook(desk, { path })
            await reload()
          }}
        />
      )}
    </li>
  )
}

function Deliveries({ id }: { id: string }) {
  const deliveries = useResource(id, (signal) =>
    listWebhookDeliveries(desk, { path: { webhook_id: id }, query: { limit: SHOWN }, signal }),
  )
  return (
    <Shown of={deliveries} rows={2}>
      {({ deliveries: all }) => (
        <table>
          <tbody>
            {all.map((each) => (
              <tr key={each.delivery_id}>
                <td>{nameOfEvent(each.type)}</td>
                <td>
                  <Tag tone={TONES[each.state]}>{say(`webhooks.state.${each.state}`)}</Tag>
                </td>
                <td class="number">{each.attempts}</td>
                <td class="second">{each.last_error ?? each.last_status ?? ''}</td>
                <td class="second">
                  <When at={each.created_at} />
                </td>
                <td>
                  {each.state !== 'waiting' && (
                    <Button
                      isSmall
                      onPress={async () => {
                        await replayWebhookDelivery(desk, { path: { webhook_id: id, delivery_id: each.delivery_id } })
                        await deliveries.reload()
                      }}
                    >
                      {say('webhooks.again')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Shown>
  )
}
