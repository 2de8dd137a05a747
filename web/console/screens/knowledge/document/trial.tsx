import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import {
  type CompareKnowledgeCanary,
  compareKnowledgeCanary,
  ingestKnowledgeCanary,
  promoteKnowledgeCanary,
  replayKnowledgeDocumentVersion,
  withdrawKnowledgeCanary,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/fields.tsx'
import { Empty } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { ofInput } from '../upload/files.ts'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'
import { loadVersion, takesFiles } from './new-version.ts'
import { serveVersion } from './serve-version.ts'
import { TrialResult } from './trial-result.tsx'

interface Props {
  loaded: LoadedDocument
  onChange: () => Promise<void>
}

/** A version that is tried before any customer finds it. */
export function Trial({ loaded, onChange }: Props) {
  const { canary, document } = loaded
  if (!canary) return <NoTrial loaded={loaded} />
  return <Tried docId={document.doc_id} version={canary.version} loaded={loaded} onChange={onChange} />
}

function NoTrial({ loaded }: { loaded: LoadedDocument }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Empty title={say('noTrial')} text={say('noTrialText')}>
      {takesFiles(loaded) && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            data-trial
            onChange={(event) => {
              loadVersion(loaded, ofInput(event.currentTarget.files ?? []), true)
              event.currentTarget.value = ''
            }}
          />
          <Button kind="primary" onPress={() => input.current?.click()}>
            {say('tryFile')}
          </Button>
        </>
      )}
      {loaded.versions.length > 1 && (
        <a class="button plain" href={to('knowledge', loaded.document.doc_id, { tab: 'versions' })}>
          {say('tryEarlier')}
        </a>
      )}
    </Empty>
  )
}

/** What customers asked before and would be answered otherwise with the version. */
async function changedQuestions(doc_id: string, version: string): Promise<string[]> {
  const { items } = await replayKnowledgeDocumentVersion(desk, { path: { doc_id, version }, body: {} })
  return items.map(({ question }) => question.replace(/\s+/g, ' '))
}

function Tried({ docId, version, loaded, onChange }: Props & { docId: string; version: string }) {
  const text = useSignal('')
  const result = useSignal<CompareKnowledgeCanary['result'] | null>(null)
  const body = { doc_id: docId, version }
  const questions = text.value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 100)
  const promote = async () => {
    const { previous_version: previous } = await promoteKnowledgeCanary(desk, { body })
    await onChange()
    toast({
      text: say('nowServed', { version }),
      ...(previous ? { undo: () => serveVersion(docId, previous) } : {}),
    })
  }
  const withdraw = async () => {
    await withdrawKnowledgeCanary(desk, { body })
    await onChange()
    toast({
      text: say('withdrawn', { version }),
      undo: async () => {
        await ingestKnowledgeCanary(desk, { body })
        await onChange()
      },
    })
  }
  return (
    <div class="stack">
      <div class="row">
        <h2 class="grow">{say('inTrial', { version })}</h2>
        {loaded.active && (
          <a
            class="button plain"
            href={to('knowledge', docId, { tab: 'compare', from: loaded.active.version, to: version })}
          >
            {say('compareWith', { version: loaded.active.version })}
          </a>
        )}
        <Button onPress={withdraw}>{say('withdraw')}</Button>
        <Button kind="primary" onPress={promote}>
          {say('promote')}
        </Button>
      </div>
      <p class="second dense">{say('trialText')}</p>
      <TextArea
        label={say('sampleQuestions')}
        value={text.value}
        rows={4}
        placeholder={say('sampleHint')}
        onInput={(value) => (text.value = value)}
      />
      <div class="row">
        <Button
          disabled={questions.length === 0}
          title={questions.length === 0 ? say('sampleHint') : undefined}
          onPress={async () => {
            result.value = await compareKnowledgeCanary(desk, { body: { ...body, sample_queries: questions } })
          }}
        >
          {say('compareQuestions', { n: questions.length })}
        </Button>
        <Button
          kind="ghost"
          onPress={async () => {
            const past = await changedQuestions(docId, version)
            if (past.length === 0) toast({ text: say('noneChanged') })
            else text.value = [...new Set([...questions, ...past])].join('\n')
          }}
        >
          {say('takePast')}
        </Button>
      </div>
      {result.value && <TrialResult result={result.value} />}
    </div>
  )
}
