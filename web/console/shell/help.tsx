import { Dialog } from '../ui/dialog.tsx'
import { bindings } from './keys.ts'
import { say } from './words.ts'

/** Every key that does something here. */
export function Help({ onClose }: { onClose: () => void }) {
  const [everywhere, ...here] = bindings.value
  return (
    <Dialog title={say('allKeys')} onClose={onClose}>
      {here.length > 0 && <List title={say('here')} keys={Object.assign({}, ...here)} />}
      {everywhere && <List title={say('everywhere')} keys={everywhere} />}
    </Dialog>
  )
}

function List({ title, keys }: { title: string; keys: Readonly<Record<string, { label: string }>> }) {
  return (
    <section class="stack">
      <h2>{title}</h2>
      <dl class="key-list">
        {Object.entries(keys).map(([key, { label }]) => (
          <div key={key}>
            <dt>
              {key.split('+').map((part) => (
                <kbd key={part}>{part === 'mod' ? 'Ctrl' : part.length === 1 ? part.toUpperCase() : part}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
