import { computed, signal } from '@preact/signals'
import { type IngestKnowledge, ingestKnowledge } from '../../../../../clients/typescript/src/index.ts'
import { desk, isAborted } from '../../../api.ts'
import { explain } from '../../../ui/failure.ts'
import { withKnownFacts } from './known-facts.ts'

export type UploadOptions = Pick<
  IngestKnowledge['form'],
  'knowledge_type' | 'product_category' | 'audience' | 'validate_quality' | 'canary' | 'applicable_version' | 'url'
>

export interface Upload {
  id: number
  name: string
  file: File
  options: UploadOptions
  state: 'waiting' | 'sending' | 'added' | 'unchanged' | 'failed' | 'rejected' | 'cancelled'
  /** Why it failed, or what the service found worth saying. */
  notes: readonly string[]
  docId?: string
  version?: string | null
}

/** Few at a time: the service reads and analyses each as it comes. */
const AT_ONCE = 3
/** Lists are asked anew at most so often while files go on. */
const TELL_MS = 1_000

/** Files on their way, and what became of the others; they go on while other screens are open. */
export const uploads = signal<readonly Upload[]>([])
/** Grows after documents changed, so that what shows them asks again. */
export const changes = signal(0)

const sending = new Map<number, AbortController>()
let latest = 0
let timer: ReturnType<typeof setTimeout> | undefined

export const summary = computed(() => {
  const counts = { total: uploads.value.length, done: 0, failed: 0, open: 0 }
  for (const { state } of uploads.value) {
    if (state === 'waiting' || state === 'sending') counts.open++
    else counts.done++
    if (state === 'failed' || state === 'rejected') counts.failed++
  }
  return counts
})

/** Whoever closes the page in the middle is asked once. */
addEventListener('beforeunload', (event) => {
  if (summary.value.open > 0) event.preventDefault()
})

/** Puts files in the queue. @returns resolves when each of them has ended one way or another */
export function load(files: readonly { name: string; file: File }[], options: UploadOptions): void {
  const added = files.map(
    ({ name, file }): Upload => ({ id: ++latest, name, file, options, state: 'waiting', notes: [] }),
  )
  const isIdle = summary.value.open === 0
  uploads.value = [...(isIdle ? [] : uploads.value), ...added]
  goOn()
}

export function tryAgain(ids: readonly number[]): void {
  for (const id of ids) change(id, { state: 'waiting', notes: [] })
  goOn()
}

/** Those under way are broken off; what is stored already stays. */
export function cancelAll(): void {
  uploads.value = uploads.value.map((each) => (each.state === 'waiting' ? { ...each, state: 'cancelled' } : each))
  for (const own of sending.values()) own.abort()
}

export function clearUploads(): void {
  uploads.value = uploads.value.filter(({ state }) => state === 'waiting' || state === 'sending')
}

/** Says that documents changed, now and then while many do. */
function tellOfChange(): void {
  if (summary.value.open === 0) {
    clearTimeout(timer)
    timer = undefined
    changes.value++
  } else {
    timer ??= setTimeout(() => {
      timer = undefined
      changes.value++
    }, TELL_MS)
  }
}

function goOn(): void {
  for (const next of uploads.value) {
    if (sending.size >= AT_ONCE) return
    if (next.state === 'waiting') void send(next)
  }
}

async function send({ id, file, name, options }: Upload): Promise<void> {
  const own = new AbortController()
  sending.set(id, own)
  change(id, { state: 'sending' })
  try {
    const facts = await withKnownFacts(name, options, own.signal)
    const form = { ...facts, file: { content: file, name }, register: true }
    const { status, errors, doc_id, version, unchanged } = await ingestKnowledge(desk, { form, signal: own.signal })
    const state = status === 'rejected' ? 'rejected' : unchanged ? 'unchanged' : 'added'
    change(id, { state, notes: errors, docId: doc_id, version })
  } catch (error) {
    if (isAborted(error)) change(id, { state: 'cancelled' })
    else change(id, { state: 'failed', notes: [explain(error)] })
  }
  sending.delete(id)
  tellOfChange()
  goOn()
}

function change(id: number, to: Partial<Upload>): void {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...to } : each))
}
