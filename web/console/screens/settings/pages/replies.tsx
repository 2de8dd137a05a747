import { useSignal } from '@preact/signals'
import {
  addAgentReply,
  deleteAgentReply,
  type ListAgentReplies,
  listAgentReplies,
  setAgentReply,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { asAgent } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Choice, TextArea, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Reply = ListAgentReplies['result']['replies'][number]
const VARIABLES = ['customer.name', 'agent.name', 'order.id', 'order.status', 'order.tracking_id']
const LIMIT = 100

/** Replies that people use again and again. */
export function RepliesPage() {
  const replies = useResource('replies', (signal) => listAgentReplies(desk, { query: { limit: LIMIT }, signal }))
  const edited = useSignal<Reply | 'new' | null>(null)
  const remove = async (reply: Reply) => {
    await deleteAgentReply(desk, { path: { reply_id: reply.reply_id } })
    const { title, content, shortcut, language } = reply
    toast({
      text: say('removed'),
      undo: async () => {
        const body = {
          title,
          content,
          ...(shortcut ? { shortcut } : {}),
          ...(language ? { language } : {}),
          ...asAgent.value,
        }
        await addAgentReply(desk, { body })
        await replies.reload()
      },
    })
    await replies.reload()
  }
  const done = async () => {
    edited.value = null
    await replies.reload()
  }
  return (
    <>
      {edited.value ? (
        <Editor key={edited.value === 'new' ? 'new' : edited.value.reply_id} reply={edited.value} onDone={done} />
      ) : (
        <div>
          <Button kind="primary" onPress={() => void (edited.value = 'new')}>
            {say('replies.new')}
          </Button>
        </div>
      )}
      <Shown of={replies}>
        {({ replies: all }) =>
          all.length === 0 ? (
            <p class="second">{say('replies.none')}</p>
          ) : (
            <ul class="stack">
              {all.map((reply) => (
                <li key={reply.reply_id} class="row">
                  <div class="grow">
                    <strong>{reply.title}</strong> {reply.shortcut && <kbd>{reply.shortcut}</kbd>}
                    <p class="second dense pre">{reply.content}</p>
                    <p class="second small">{say('replies.used', { n: reply.uses })}</p>
                  </div>
                  <Button isSmall label={`${say('edit')}: ${reply.title}`} onPress={() => void (edited.value = reply)}>
                    {say('edit')}
                  </Button>
                  <Button
                    isSmall
                    kind="danger"
                    label={`${say('remove')}: ${reply.title}`}
                    onPress={() => remove(reply)}
                  >
                    {say('remove')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}

function Editor({ reply, onDone }: { reply: Reply | 'new'; onDone: () => Promise<void> }) {
  const known = reply === 'new' ? null : reply
  const title = useSignal(known?.title ?? '')
  const content = useSignal(known?.content ?? '')
  const shortcut = useSignal(known?.shortcut ?? '')
  const language = useSignal<'' | 'zh' | 'en'>(known?.language ?? '')
  const error = useSignal('')
  const save = async () => {
    const body = {
      title: title.value,
      content: content.value,
      ...(shortcut.value ? { shortcut: shortcut.value } : {}),
      ...(language.value ? { language: language.value } : {}),
    }
    try {
      if (known) await setAgentReply(desk, { path: { reply_id: known.reply_id }, body })
      else await addAgentReply(desk, { body: { ...body, ...asAgent.value } })
      await onDone()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="settings-form" onSubmit={save}>
      <TextField label={say('replies.title')} value={title.value} onInput={(text) => (title.value = text)} required />
      <TextField label={say('replies.shortcut')} value={shortcut.value} onInput={(text) => (shortcut.value = text)} />
      <Choice
        label={say('language')}
        value={language.value}
        onChange={(value) => (language.value = value)}
        options={[
          { value: '', text: say('language.any') },
          { value: 'en', text: say('language.en') },
          { value: 'zh', text: say('language.zh') },
        ]}
      />
      <div class="wide">
        <TextArea
          label={say('replies.content')}
          hint={say('replies.variables', { names: VARIABLES.map((name) => `{{${name}}}`).join(' ') })}
          value={content.value}
          onInput={(text) => (content.value = text)}
          error={error.value || undefined}
        />
      </div>
      <div class="wide row">
        <Button kind="primary" type="submit" disabled={title.value.trim() === '' || content.value.trim() === ''}>
          {say('save')}
        </Button>
        <Button onPress={onDone}>{say('cancel')}</Button>
      </div>
    </Form>
  )
}
