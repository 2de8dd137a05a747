import { useRef, useState } from 'preact/hooks'
import { type ImportMiningTickets, importMiningTickets } from '../../../../clients/typescript/src/index.ts'
import { desk, FrontdeskError } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { explain } from '../../ui/failure.ts'
import { Choice } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.tsx'
import { say } from './words.ts'

const FIELDS = ['ticket_id', 'content', 'subject', 'solution', 'status', 'category', 'created_at'] as const
type Chosen = Partial<Record<(typeof FIELDS)[number], string>>
type Imported = ImportMiningTickets['result']

/** What is in front of the screen: a file whose columns nobody knows, or what was read of one. */
type Shown = { file: File; columns: string[]; reason: string } | { imported: Imported }

/** Takes in a file of tickets, says which columns were used, and where they are not known asks for them. */
export function ImportButton({ onImported }: { onImported: () => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null)
  const [shown, show] = useState<Shown | null>(null)
  const load = async (file: File | undefined, chosen: Chosen = {}) => {
    if (!file) return
    try {
      const columns = Object.fromEntries(Object.entries(chosen).map(([field, name]) => [`${field}_column`, name]))
      const form = { file: { content: file, name: file.name }, ...columns }
      show({ imported: await importMiningTickets(desk, { form }) })
      await onImported()
    } catch (error) {
      const columns = columnsIn(error)
      if (columns.length > 0) show({ file, columns, reason: explain(error).split('; ')[0] ?? '' })
      else toast({ kind: 'bad', text: explain(error) })
    }
  }
  return (
    <>
      <Button onPress={() => input.current?.click()}>{say('import')}</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.json,.jsonl,.ndjson,.xlsx"
        aria-label={say('import')}
        onChange={({ currentTarget }) => {
          void load(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      {shown && 'file' in shown && (
        <ChooseColumns
          key={shown.file.name}
          columns={shown.columns}
          reason={shown.reason}
          onChoose={(chosen) => load(shown.file, chosen)}
          onClose={() => show(null)}
        />
      )}
      {shown && 'imported' in shown && <ReadColumns imported={shown.imported} onClose={() => show(null)} />}
    </>
  )
}

/** The refusal of a file names its columns, each in quotes. */
function columnsIn(error: unknown): string[] {
  if (!(error instanceof FrontdeskError) || error.status !== 422) return []
  const names = error.detail.split('the columns are ')[1] ?? ''
  return Array.from(names.matchAll(/"(?:[^"\\]|\\.)*"/g), ([name]) => JSON.parse(name) as string)
}

function ChooseColumns(props: {
  columns: readonly string[]
  reason: string
  onChoose: (chosen: Chosen) => Promise<void>
  onClose: () => void
}) {
  const [chosen, choose] = useState<Chosen>({})
  const options = ['', ...props.columns].map((name) => ({ value: name, text: name || say('byName') }))
  return (
    <Dialog title={say('whichColumns')} onClose={props.onClose}>
      <p class="second">{props.reason}</p>
      {FIELDS.map((field) => (
        <Choice
          key={field}
          label={say(field)}
          value={chosen[field] ?? ''}
          options={options}
          onChange={(name) => choose({ ...chosen, [field]: name })}
        />
      ))}
      <footer class="dialog-footer">
        <Button onPress={props.onClose}>{say('cancel')}</Button>
        <Button kind="primary" onPress={() => props.onChoose(chosen)}>
          {say('importNow')}
        </Button>
      </footer>
    </Dialog>
  )
}

function ReadColumns({
  imported: { imported, updated, failed, errors, columns },
  onClose,
}: {
  imported: Imported
  onClose: () => void
}) {
  const counts = [say('imported', { n: imported }), updated > 0 && say('updated', { n: updated })]
  return (
    <Dialog title={counts.filter(Boolean).join(', ')} onClose={onClose}>
      <table aria-label={say('columns')}>
        <tbody>
          {FIELDS.map((field) => (
            <tr key={field}>
              <th scope="row">{say(field)}</th>
              <td>{columns.used[field]?.join(', ') ?? <span class="second">{say('noColumn')}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {columns.ignored.length > 0 && (
        <p class="second">
          {say('ignored')} {columns.ignored.join(', ')}
        </p>
      )}
      {failed > 0 && (
        <details open>
          <summary>{say('failed', { n: failed })}</summary>
          <ul class="dense">
            {errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </details>
      )}
    </Dialog>
  )
}
