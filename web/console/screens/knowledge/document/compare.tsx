import { getKnowledgeDocumentVersionDiff } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { place, replace, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Empty } from '../../../ui/states.tsx'
import { say } from '../words.ts'
import { type Diff, DiffLines } from './diff-lines.tsx'
import type { LoadedDocument } from './load-document.ts'
import { Replay } from './replay.tsx'
import { serveVersion } from './serve-version.ts'

interface Props {
  loaded: LoadedDocument
  onChange: () => Promise<void>
}

/** Two versions side by side: what the text says otherwise, and which questions are answered otherwise for it. */
export function Compare({ loaded }: Props) {
  const { document, versions, active } = loaded
  const { doc_id } = document
  const { from, to: until } = pairOf(loaded)
  const resource = useResource(`${doc_id} ${from} ${until}`, (signal) =>
    getKnowledgeDocumentVersionDiff(desk, { path: { doc_id, version: until }, query: { against: from }, signal }),
  )
  const options = versions
    .filter(({ chunk_count }) => chunk_count > 0)
    .map(({ version, status }) => ({ value: version, text: `${version} · ${say(`version.${status}`)}` }))
  const choose = (pair: { from: string; to: string }) => replace(to('knowledge', doc_id, { tab: 'compare', ...pair }))
  const other = versions.find(({ version }) => version === (until === active?.version ? from : until))
  return (
    <div class="compare">
      <div class="compare-bar">
        <Choice
          label={say('from')}
          value={from}
          options={options}
          onChange={(value) => choose({ from: value, to: until })}
        />
        <Button kind="ghost" label={say('swap')} title={say('swap')} onPress={() => choose({ from: until, to: from })}>
          ⇄
        </Button>
        <Choice
          label={say('until')}
          value={until}
          options={options}
          onChange={(value) => choose({ from, to: value })}
        />
        {resource.data.value && <Counts diff={resource.data.value} />}
        <span class="grow" />
        {may('knowledge') && other && other.status !== 'canary' && other.version !== active?.version && (
          <Button kind="primary" onPress={() => serveVersion(doc_id, other.version)}>
            {say('serveVersion', { version: other.version })}
          </Button>
        )}
      </div>
      <div class="compare-columns">
        <section aria-label={say('textChanges')}>
          <h2>{say('textChanges')}</h2>
          <Shown of={resource}>
            {(diff) => (diff.lines.length > 0 ? <DiffLines diff={diff} /> : <Empty title={say('sameText')} />)}
          </Shown>
        </section>
        <Replay docId={doc_id} from={from} to={until} isStaff={document.audience === 'staff'} />
      </div>
    </div>
  )
}

/** By default what is served, against the newest of the others; one before it where it is the newest. */
function pairOf({ versions, active }: LoadedDocument): { from: string; to: string } {
  const { query } = place.value
  const known = versions.filter(({ chunk_count }) => chunk_count > 0).map(({ version }) => version)
  const wanted = (name: string | undefined) => known.find((each) => each === name)
  const newest = known[0] ?? ''
  const served = active?.version ?? newest
  const isNewest = served === newest
  return {
    from: wanted(query.from) ?? (isNewest ? (known[1] ?? newest) : served),
    to: wanted(query.to) ?? newest,
  }
}

function Counts({ diff: { added, removed, changed } }: { diff: Diff }) {
  return (
    <span class="dense number second" role="status">
      {say('diffCounts', { added, removed, changed })}
    </span>
  )
}
