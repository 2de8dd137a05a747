import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listAgentSessions, listKnowledgeDocuments } from '../../../clients/typescript/src/index.ts'
import { desk, isAborted } from '../api.ts'
import { SCREENS } from '../screens.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { PaletteProps } from './palette-door.tsx'
import { go, to } from './router.ts'
import { may } from './session.ts'
import { say } from './words.ts'

interface Hit {
  kind: 'screens' | 'conversations' | 'documents'
  title: string
  detail: string
  address: string
}

/** Its list is not the browser's own, which is all that the types know of. */
const COMBOBOX: object = { role: 'combobox', 'aria-autocomplete': 'list' }
const PAUSE_MS = 150
const HITS = 6

/** Finds screens, conversations and documents by what is written. */
export function PaletteDialog({ onClose }: PaletteProps) {
  const query = useSignal('')
  const found = useSignal<readonly Hit[]>([])
  const chosen = useSignal(0)
  const hits = [...screensLike(query.value), ...found.value]
  const at = Math.min(chosen.value, hits.length - 1)
  useEffect(() => {
    const end = new AbortController()
    const timer = setTimeout(async () => {
      found.value = await search(query.value.trim(), end.signal).catch((error) => (isAborted(error) ? found.value : []))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [query.value])
  const open = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    go(hit.address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) chosen.value = Math.max(0, Math.min(hits.length - 1, at + step))
    else if (event.key === 'Enter') open(hits[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={say('find')} onClose={onClose} isPlain>
      <input
        class="palette-input"
        type="text"
        {...COMBOBOX}
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits.length > 0 ? `hit-${at}` : undefined}
        aria-label={say('find')}
        placeholder={say('findHint')}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={onKeyDown}
        autoFocus
      />
      <ul id="palette-hits" class="palette-hits" role="listbox" aria-label={say('find')}>
        {hits.map((hit, index) => (
          <li
            key={hit.address}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(hit)}
          >
            <span class="clip grow">{hit.title}</span>
            <span class="second small clip">{hit.detail || say(hit.kind)}</span>
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p class="palette-none second">{say('nothingFound')}</p>}
    </Dialog>
  )
}

function screensLike(text: string): Hit[] {
  const wanted = text.trim().toLowerCase()
  return SCREENS.filter(({ name, scope }) => may(scope) && `${name} ${say(name)}`.toLowerCase().includes(wanted)).map(
    ({ name }) => ({ kind: 'screens', title: say(name), detail: '', address: to(name) }),
  )
}

async function search(text: string, signal: AbortSignal): Promise<Hit[]> {
  if (text.length < 2) return []
  const [conversations, documents] = await Promise.all([
    may('agent') ? listAgentSessions(desk, { query: { q: text, limit: HITS }, signal }) : { sessions: [] },
    may('read') ? listKnowledgeDocuments(desk, { query: { q: text, limit: HITS }, signal }) : { items: [] },
  ])
  return [
    ...conversations.sessions.map(
      (each): Hit => ({
        kind: 'conversations',
        title: each.user_id,
        detail: each.match?.excerpt ?? each.last_message?.content ?? '',
        address: to('inbox', each.session_id),
      }),
    ),
    ...documents.items.map(
      (each): Hit => ({ kind: 'documents', title: each.source, detail: '', address: to('knowledge', each.doc_id) }),
    ),
  ]
}
