import { useSignal } from '@preact/signals'
import {
  addSettingsWidget,
  deleteSettingsWidget,
  type ListSettingsWidgets,
  listSettingsWidgets,
  rotateSettingsWidget,
  rotateSettingsWidgetSecret,
  setSettingsWidget,
} from '../../../../../clients/typescript/src/index.ts'
import { formatTime, language } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { explain } from '../../../ui/failure.ts'
import { TextArea, TextField } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { CopyButton, Secret } from '../../../ui/secret.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'
import { WidgetLook } from './widget-look.tsx'

type Widget = ListSettingsWidgets['result']['widgets'][number]

/** Pages of the shop that may show a conversation, each with its public key. */
export function WidgetsPage() {
  const widgets = useResource('widgets', (signal) => listSettingsWidgets(desk, { signal }))
  const secret = useSignal<{ name: string; value: string } | null>(null)
  const onSecret = (name: string, value: string) => (secret.value = { name, value })
  return (
    <>
      <NewWidget onAdded={widgets.reload} onSecret={onSecret} />
      {secret.value && <Secret label={say('widgets.secret', { name: secret.value.name })} value={secret.value.value} />}
      <Shown of={widgets}>
        {({ widgets: all }) =>
          all.length === 0 ? (
            <p class="second">{say('widgets.none')}</p>
          ) : (
            <ul class="stack">
              {all.map((widget) => (
                <WidgetView key={widget.widget_id} widget={widget} reload={widgets.reload} onSecret={onSecret} />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}

/** The address of a page of its own with the widget, which works where this origin may show it. */
function FullPage({ widget }: { widget: Widget }) {
  const address = `${location.origin}/widget?key=${widget.key}`
  const isListed = widget.allowed_origins.includes(location.origin)
  return (
    <div class="row">
      <span class="grow">
        {say('widgets.page')}{' '}
        {isListed ? (
          <a href={address} target="_blank" rel="noreferrer">
            {address}
          </a>
        ) : (
          <code>{address}</code>
        )}
        {!isListed && <span class="second small"> {say('widgets.pageNeeds', { origin: location.origin })}</span>}
      </span>
      <CopyButton text={address} />
    </div>
  )
}

function linesOf(text: string): string[] {
  return text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter(Boolean)
}

function NewWidget({
  onAdded,
  onSecret,
}: {
  onAdded: () => Promise<void>
  onSecret: (name: string, value: string) => void
}) {
  const name = useSignal('')
  const origins = useSignal('')
  const error = useSignal('')
  const add = async () => {
    error.value = ''
    try {
      const body = { name: name.value.trim(), allowed_origins: linesOf(origins.value) }
      const added = await addSettingsWidget(desk, { body })
      onSecret(added.name, added.identity_secret)
      name.value = ''
      origins.value = ''
      await onAdded()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <form
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <TextField label={say('widgets.name')} value={name.value} onInput={(text) => (name.value = text)} />
      <TextArea
        rows={2}
        label={say('widgets.origins')}
        hint={say('widgets.originsHint')}
        placeholder="https://shop.example"
        value={origins.value}
        onInput={(text) => (origins.value = text)}
        error={error.value || undefined}
      />
      <div class="wide">
        <Button kind="primary" type="submit" disabled={name.value.trim() === ''}>
          {say('add')}
        </Button>
      </div>
    </form>
  )
}

function WidgetView(props: {
  widget: Widget
  reload: () => Promise<void>
  onSecret: (name: string, value: string) => void
}) {
  const { widget, reload, onSecret } = props
  const path = { widget_id: widget.widget_id }
  const origins = useSignal(widget.allowed_origins.join('\n'))
  const isRevoking = useSignal(false)
  const isRotating = useSignal(false)
  const isLooking = useSignal(false)
  const shown = useSignal(language.value)
  const snippet = `<script async src="${location.origin}/widget.js" data-key="${widget.key}"></script>`
  if (widget.revoked_at) {
    return (
      <li class="row">
        <strong class="grow">{widget.name}</strong> <Tag tone="bad">{say('widgets.revoked')}</Tag>
      </li>
    )
  }
  return (
    <li class="stack">
      <div class="row">
        <strong class="grow">{widget.name}</strong>
        <Button isSmall isPressed={isLooking.value} onPress={() => void (isLooking.value = !isLooking.value)}>
          {say('widgets.look')}
        </Button>
        <Button isSmall onPress={() => void (isRotating.value = true)}>
          {say('widgets.rotate')}
        </Button>
        <Button
          isSmall
          onPress={async () =>
            onSecret(widget.name, (await rotateSettingsWidgetSecret(desk, { path, body: {} })).identity_secret)
          }
        >
          {say('widgets.newSecret')}
        </Button>
        <Button isSmall kind="danger" onPress={() => void (isRevoking.value = true)}>
          {say('widgets.revoke')}
        </Button>
      </div>
      <div class="row">
        <pre class="settings-code grow">{snippet}</pre>
        <CopyButton text={snippet} />
      </div>
      <FullPage widget={widget} />
      {widget.previous_key_until && (
        <p class="second small">{say('widgets.previous', { time: formatTime(widget.previous_key_until) })}</p>
      )}
      <TextArea
        rows={2}
        label={say('widgets.origins')}
        value={origins.value}
        onInput={(text) => (origins.value = text)}
      />
      <div>
        <Button
          isSmall
          disabled={linesOf(origins.value).join() === widget.allowed_origins.join()}
          onPress={async () => {
            await setSettingsWidget(desk, { path, body: { allowed_origins: linesOf(origins.value) } })
            const before = widget.allowed_origins
            toast({
              text: say('saved'),
              undo: async () => {
                await setSettingsWidget(desk, { path, body: { allowed_origins: before } })
                await reload()
              },
            })
            await reload()
          }}
        >
          {say('save')}
        </Button>
      </div>
      {isLooking.value && <WidgetLook key={widget.updated_at} widget={widget} shown={shown} onSaved={reload} />}
      {isRotating.value && (
        <Confirm
          title={say('widgets.rotate')}
          text={say('widgets.rotateText')}
          action={say('widgets.rotate')}
          onClose={() => (isRotating.value = false)}
          onConfirm={async () => {
            await rotateSettingsWidget(desk, { path, body: { grace_hours: 24 } })
            await reload()
          }}
        />
      )}
      {isRevoking.value && (
        <Confirm
          title={say('widgets.revoke')}
          text={say('widgets.revokeText')}
          action={say('widgets.revoke')}
          onClose={() => (isRevoking.value = false)}
          onConfirm={async () => {
            await deleteSettingsWidget(desk, { path })
            await reload()
          }}
        />
      )}
    </li>
  )
}
