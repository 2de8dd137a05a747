import { useSignal } from '@preact/signals'
import { formatBytes } from '../../../../shared/words.ts'
import { to } from '../../../shell/router.ts'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/states.tsx'
import { Tag, type Tone } from '../../../ui/tag.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { say } from '../words.ts'
import { cancelAll, clearUploads, summary, tryAgain, type Upload, uploads } from './uploads.ts'

const ROW_HEIGHT = 32
const TONES: Readonly<Record<Upload['state'], Tone>> = {
  waiting: 'plain',
  sending: 'accent',
  added: 'good',
  unchanged: 'plain',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'plain',
}

/** How far the loading is, file by file; failures first, as they are what is left to do. */
export function UploadPanel() {
  const isOpen = useSignal(true)
  const { total, done, failed, open } = summary.value
  if (total === 0) return null
  const unlucky = uploads.value.filter(({ state }) => state === 'failed' || state === 'rejected')
  const sorted = [...uploads.value].sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id)
  return (
    <section class="upload-panel" aria-label={say('loading')}>
      <header class="row">
        <div class="grow">
          {open > 0 ? (
            <Progress label={say('loadingFiles')} done={done} total={total} onCancel={cancelAll} />
          ) : (
            <span role="status">
              {say('loaded', { n: total - failed })}
              {failed > 0 && <span class="upload-failed"> · {say('notLoaded', { n: failed })}</span>}
            </span>
          )}
        </div>
        {unlucky.length > 1 && (
          <Button isSmall onPress={() => tryAgain(unlucky.map(({ id }) => id))}>
            {say('tryAllAgain')}
          </Button>
        )}
        <Button isSmall kind="ghost" onPress={() => void (isOpen.value = !isOpen.value)}>
          {say(isOpen.value ? 'hideFiles' : 'showFiles')}
        </Button>
        {open === 0 && (
          <Button isSmall kind="ghost" onPress={clearUploads}>
            {say('close')}
          </Button>
        )}
      </header>
      {isOpen.value && (
        <VirtualList
          items={sorted}
          rowHeight={ROW_HEIGHT}
          keyOf={({ id }) => String(id)}
          label={say('loadedFiles')}
          row={(upload) => <UploadRow upload={upload} />}
        />
      )}
    </section>
  )
}

const RANKS: Readonly<Record<Upload['state'], number>> = {
  failed: 0,
  rejected: 0,
  sending: 1,
  waiting: 2,
  added: 3,
  unchanged: 4,
  cancelled: 5,
}
const rankOf = ({ state }: Upload) => RANKS[state]

function UploadRow({ upload }: { upload: Upload }) {
  const { id, name, file, state, notes, docId, version } = upload
  const text = notes.join(' ')
  return (
    <div class="upload-row">
      <span class="clip upload-name" title={name}>
        {docId ? <a href={to('knowledge', docId)}>{name}</a> : name}
      </span>
      <span class="second number">{formatBytes(file.size)}</span>
      <span>
        {state === 'sending' ? (
          <progress aria-label={say('state.sending')} />
        ) : (
          <Tag tone={TONES[state]}>
            {say(`state.${state}`)}
            {state === 'added' && version && version !== 'v1' ? ` ${version}` : ''}
          </Tag>
        )}
      </span>
      <span class="clip second" title={text}>
        {text}
      </span>
      {(state === 'failed' || state === 'rejected' || state === 'cancelled') && (
        <Button isSmall onPress={() => tryAgain([id])} label={say('tryAgainWith', { name })}>
          {say('tryAgain')}
        </Button>
      )}
    </div>
  )
}
