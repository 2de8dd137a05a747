import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { setKnowledgeDocument } from '../../../../../clients/typescript/src/index.ts'
import { formatBytes } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice, TextField } from '../../../ui/fields.tsx'
import { Ago, At } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { categoryName, KNOWLEDGE_TYPES, type KnowledgeType, languageName } from '../names.ts'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'
import { OriginalFile } from './original-file.tsx'

interface Props {
  loaded: LoadedDocument
  onChange: () => Promise<void>
}

/** What is known of a document beside its text. */
export function Facts({ loaded, onChange }: Props) {
  const { document, active, versions } = loaded
  const version = active ?? versions[0]
  return (
    <aside class="document-side" aria-label={say('facts')}>
      <Audience loaded={loaded} onChange={onChange} />
      <Kind loaded={loaded} onChange={onChange} />
      <dl class="document-facts">
        <Fact name={say('language')}>{languageName(document.language) || '–'}</Fact>
        {document.applicable_version !== 'latest' && <Fact name={say('appliesTo')}>{document.applicable_version}</Fact>}
        <Fact name={say('served')}>{document.current_version ?? say('nothingServed')}</Fact>
        <Fact name={say('passages')}>{document.chunk_count}</Fact>
        <Fact name={say('changed')}>
          <Ago at={document.updated_at} />
        </Fact>
        <Fact name={say('created')}>
          <At at={document.created_at} />
        </Fact>
        {version?.published_at && (
          <Fact name={say('published')}>
            <At at={version.published_at} />
          </Fact>
        )}
        {version?.file && (
          <Fact name={say('original')}>
            <OriginalFile docId={document.doc_id} version={version.version} name={version.file.name} /> ·{' '}
            {formatBytes(version.file.size)}
          </Fact>
        )}
      </dl>
      <Address key={document.url ?? ''} loaded={loaded} onChange={onChange} />
    </aside>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A document that becomes one for staff leaves customers' answers at once; the way back is a press away. */
function Audience({ loaded: { document }, onChange }: Props) {
  const { doc_id, audience, source } = document
  const set = async (value: 'customers' | 'staff') => {
    await setKnowledgeDocument(desk, { path: { doc_id }, body: { audience: value } })
    await onChange()
  }
  return (
    <Choice
      label={say('audience')}
      value={audience}
      disabled={!may('knowledge')}
      options={(['customers', 'staff'] as const).map((value) => ({ value, text: say(`audience.${value}`) }))}
      onChange={async (value) => {
        await set(value)
        toast({ text: say(`now.${value}`, { source }), undo: () => set(audience) })
      }}
    />
  )
}

/** What it is and what it is about, by which lists are narrowed. */
function Kind({ loaded: { document, active }, onChange }: Props) {
  const { doc_id, knowledge_type, product_category } = document
  const known = categoryName(product_category)
  const category = useSignal(known)
  const isFixed = !active || !may('knowledge')
  const set = async (body: { knowledge_type: KnowledgeType } | { product_category: string }) => {
    await setKnowledgeDocument(desk, { path: { doc_id }, body })
    await onChange()
    toast({ text: say('saved') })
  }
  return (
    <>
      <Choice
        label={say('type')}
        value={knowledge_type as KnowledgeType}
        disabled={isFixed}
        options={KNOWLEDGE_TYPES.map((value) => ({ value, text: say(`type.${value}`) }))}
        onChange={(value) => set({ knowledge_type: value })}
      />
      <form class="stack" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label={say('category')}
          value={category.value}
          disabled={isFixed}
          maxLength={200}
          onInput={(value) => (category.value = value)}
        />
        {category.value.trim() !== known && (
          <Button type="submit" onPress={() => set({ product_category: category.value.trim() })}>
            {say('save')}
          </Button>
        )}
      </form>
    </>
  )
}

/** Where customers can read it for themselves: replies link to it. */
function Address({ loaded: { document, active }, onChange }: Props) {
  const text = useSignal(document.url ?? '')
  if (!active || !may('knowledge')) {
    return document.url ? (
      <p class="dense">
        <a href={document.url} rel="noreferrer" target="_blank">
          {document.url}
        </a>
      </p>
    ) : null
  }
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label={say('address')}
        hint={say('addressHint')}
        type="url"
        value={text.value}
        onInput={(value) => (text.value = value)}
      />
      {text.value.trim() !== (document.url ?? '') && (
        <Button
          type="submit"
          onPress={async () => {
            await setKnowledgeDocument(desk, { path: { doc_id: document.doc_id }, body: { url: text.value.trim() } })
            await onChange()
            toast({ text: say('saved') })
          }}
        >
          {say('save')}
        </Button>
      )}
    </form>
  )
}
