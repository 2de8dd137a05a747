import { useSignal } from '@preact/signals'
import { type ListAuditEntries, listAuditEntries } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { At } from '../../../ui/time.tsx'
import { say } from '../words.ts'

type Entry = ListAuditEntries['result']['entries'][number]
const PAGE = 50

/** Who changed what, and from what to what. */
export function AuditPage() {
  const actor = useSignal('')
  const subject = useSignal('')
  const query = {
    limit: PAGE,
    ...(actor.value ? { actor: actor.value } : {}),
    ...(subject.value ? { subject: subject.value } : {}),
  }
  const audit = useResource(JSON.stringify(query), (signal) => listAuditEntries(desk, { query, signal }))
  const more = async () => {
    const known = audit.data.value
    if (!known?.next_before) return
    const page = await listAuditEntries(desk, { query: { ...query, before: known.next_before } })
    audit.data.value = { ...page, entries: [...known.entries, ...page.entries] }
  }
  return (
    <>
      <search class="settings-form">
        <TextField label={say('audit.actor')} value={actor.value} onInput={(text) => (actor.value = text.trim())} />
        <TextField
          label={say('audit.subject')}
          value={subject.value}
          onInput={(text) => (subject.value = text.trim())}
        />
      </search>
      <Shown of={audit}>
        {({ entries, next_before: next }) =>
          entries.length === 0 ? (
            <p class="second">{say('audit.none')}</p>
          ) : (
            <>
              <ol class="stack">
                {entries.map((entry) => (
                  <EntryView key={entry.seq} entry={entry} />
                ))}
              </ol>
              {next !== null && (
                <div>
                  <Button onPress={more}>{say('more')}</Button>
                </div>
              )}
            </>
          )
        }
      </Shown>
    </>
  )
}

function EntryView({ entry }: { entry: Entry }) {
  const fields = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])].filter(
    (name) => show(entry.before?.[name]) !== show(entry.after?.[name]),
  )
  return (
    <li>
      <details>
        <summary>
          <strong>{entry.actor}</strong> <code>{entry.action}</code> {entry.subject}{' '}
          <span class="second small">
            <At at={entry.happened_at} /> · {entry.address}
          </span>
        </summary>
        {fields.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">{say('audit.field')}</th>
                <th scope="col">{say('audit.before')}</th>
                <th scope="col">{say('audit.after')}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{show(entry.before?.[name])}</td>
                  <td>{show(entry.after?.[name])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </details>
    </li>
  )
}

function show(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
