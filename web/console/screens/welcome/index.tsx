import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { getKnowledgeStats, stream } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { to } from '../../shell/router.ts'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/failure.ts'
import { TextField } from '../../ui/fields.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Page } from '../../ui/page.tsx'
import { useResource } from '../../ui/resource.tsx'
import { Progress } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toasts.tsx'
import { DropArea } from '../knowledge/upload/drop-area.tsx'
import { type ChosenFile, namesOf } from '../knowledge/upload/files.ts'
import { offered } from '../knowledge/upload/offered.ts'
import { UploadButtons } from '../knowledge/upload/upload-buttons.tsx'
import { cancelAll, changes, load, summary } from '../knowledge/upload/uploads.ts'
import { fetchSample, SAMPLE_OPTIONS } from './sample.ts'
import { say } from './words.ts'
import '../knowledge/knowledge.css'
import './welcome.css'

/** From nothing to the first answered question. */
export function Screen() {
  const stats = useResource(`stats ${changes.value}`, (signal) => getKnowledgeStats(desk, { signal }))
  const asked = useSignal('')
  const reply = useSignal('')
  const documents = stats.data.value?.total_documents ?? 0
  const given = offered.value
  useEffect(() => {
    if (given.length === 0) return
    offered.value = []
    loadAll(given)
  }, [given])
  return (
    <Page title={say('title')}>
      <DropArea onFiles={loadAll}>
        <div class="welcome">
          <p class="second">{say('intro')}</p>
          <ol class="stack">
            <Step number={1} title={say('load')} text={say('loadText')} isDone={documents > 0}>
              <Load documents={documents} />
            </Step>
            <Step number={2} title={say('ask')} text={say('askText')} isDone={reply.value !== ''}>
              <Ask asked={asked} reply={reply} isReady={documents > 0} />
            </Step>
            <Step number={3} title={say('why')} text={say('whyText')} isDone={false}>
              {reply.value !== '' && (
                <div class="row">
                  <a class="button primary" href={to('playground', { q: asked.value })}>
                    {say('open')}
                  </a>
                  <a href={to('inbox', { tab: 'all' })}>{say('toInbox')}</a>
                  <a href={to('settings', 'checklist')}>{say('toChecklist')}</a>
                </div>
              )}
            </Step>
          </ol>
        </div>
      </DropArea>
    </Page>
  )
}

/** As they are: who wants to say more of their documents does so in the knowledge base. */
function loadAll(files: readonly ChosenFile[]): void {
  const names = namesOf(files)
  load(
    files.map(({ file }, index) => ({ name: names[index] ?? file.name, file })),
    {},
  )
}

function Step(props: { number: number; title: string; text: string; isDone: boolean; children: ComponentChildren }) {
  return (
    <li class="welcome-step">
      <span class="welcome-number number" aria-hidden="true">
        {props.number}
      </span>
      <div class="stack grow">
        <h2 class="row">
          {props.title} {props.isDone && <Tag tone="good">{say('done')}</Tag>}
        </h2>
        <p class="second">{props.text}</p>
        {props.children}
      </div>
    </li>
  )
}

function Load({ documents }: { documents: number }) {
  const { total, done, open } = summary.value
  if (open > 0) return <Progress label={say('load')} done={done} total={total} onCancel={cancelAll} />
  return (
    <>
      {documents > 0 && <p role="status">{say('loaded', { n: documents })}</p>}
      <div class="row">
        <Button
          kind={documents > 0 ? 'plain' : 'primary'}
          onPress={async () => load(await fetchSample(), SAMPLE_OPTIONS)}
        >
          {say('sample')}
        </Button>
        <UploadButtons />
      </div>
    </>
  )
}

interface Answer {
  asked: { value: string }
  reply: { value: string }
}

/** Asks as a customer does, and shows the words as they come. */
async function answer(question: string, { asked, reply }: Answer): Promise<void> {
  asked.value = question
  reply.value = ''
  try {
    for await (const event of stream(desk, 'POST /api/v1/chat/stream', { body: { message: question } })) {
      if (event.event === 'token') reply.value += event.data.content
      else if (event.event === 'done') reply.value = event.data.answer
      else if (event.event === 'error') toast({ kind: 'bad', text: event.data.message })
    }
  } catch (error) {
    toast({ kind: 'bad', text: explain(error) })
  }
}

function Ask({ asked, reply, isReady }: Answer & { isReady: boolean }) {
  const text = useSignal('')
  const isBusy = useSignal(false)
  const ask = async (question: string) => {
    if (question.trim() === '' || isBusy.value) return
    text.value = question
    isBusy.value = true
    await answer(question.trim(), { asked, reply })
    isBusy.value = false
  }
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void ask(text.value)
        }}
      >
        <div class="grow">
          <TextField
            isBare
            label={say('question')}
            placeholder={say('try1')}
            value={text.value}
            onInput={(value) => (text.value = value)}
            disabled={!isReady}
            maxLength={2_000}
          />
        </div>
        <Button kind="primary" type="submit" disabled={!isReady || isBusy.value}>
          {say('send')}
        </Button>
      </form>
      {isReady && reply.value === '' && !isBusy.value && (
        <div class="row">
          {(['try1', 'try2', 'try3'] as const).map((name) => (
            <Button key={name} isSmall onPress={() => void ask(say(name))}>
              {say(name)}
            </Button>
          ))}
        </div>
      )}
      {(isBusy.value || reply.value !== '') && (
        <div class="welcome-reply" role="status">
          {reply.value ? <Markdown text={reply.value} /> : say('waiting')}
        </div>
      )}
    </>
  )
}
