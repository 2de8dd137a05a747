import { ingestKnowledgeCanary } from '../../../../../clients/typescript/src/index.ts'
import { formatBytes } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { go, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { When } from '../../../ui/time.tsx'
import { VERSION_TONES, type Version } from '../names.ts'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'
import { OriginalFile } from './original-file.tsx'
import { serveVersion } from './serve-version.ts'

interface Props {
  loaded: LoadedDocument
  onChange: () => Promise<void>
}

/** Everything that the document said before. */
export function Versions({ loaded, onChange }: Props) {
  return (
    <table class="versions">
      <thead>
        <tr>
          <th>{say('version')}</th>
          <th>{say('state')}</th>
          <th>{say('loadedAt')}</th>
          <th class="number">{say('passages')}</th>
          <th>{say('original')}</th>
          <th>
            <span class="unseen">{say('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {loaded.versions.map((version) => (
          <VersionRow key={version.version} version={version} loaded={loaded} onChange={onChange} />
        ))}
      </tbody>
    </table>
  )
}

function VersionRow({ version: each, loaded, onChange }: Props & { version: Version }) {
  const { version, status, created_at, chunk_count, file } = each
  const { doc_id } = loaded.document
  return (
    <tr>
      <th scope="row">
        <a href={to('knowledge', doc_id, { version })}>{version}</a>
      </th>
      <td>
        <Tag tone={VERSION_TONES[status]}>{say(`version.${status}`)}</Tag>
      </td>
      <td>
        <When at={created_at} />
      </td>
      <td class="number">{chunk_count}</td>
      <td>
        {file ? (
          <>
            <OriginalFile docId={doc_id} version={version} name={file.name} />{' '}
            <span class="second">{formatBytes(file.size)}</span>
          </>
        ) : (
          <span class="second">{say('notKept')}</span>
        )}
      </td>
      <td>{chunk_count > 0 && <VersionActions version={each} loaded={loaded} onChange={onChange} />}</td>
    </tr>
  )
}

function VersionActions({ version: { version, status }, loaded, onChange }: Props & { version: Version }) {
  const { document, active, canary } = loaded
  const { doc_id } = document
  const isOld = status !== 'active' && status !== 'canary'
  return (
    <div class="row version-actions">
      {active && status !== 'active' && (
        <a
          class="button plain is-small"
          href={to('knowledge', doc_id, { tab: 'compare', from: active.version, to: version })}
        >
          {say('compareWith', { version: active.version })}
        </a>
      )}
      {isOld && may('knowledge') && (
        <>
          {active && !canary && (
            <Button
              isSmall
              onPress={async () => {
                await ingestKnowledgeCanary(desk, { body: { doc_id, version } })
                await onChange()
                go(to('knowledge', doc_id, { tab: 'trial' }))
              }}
            >
              {say('try')}
            </Button>
          )}
          <Button isSmall onPress={() => serveVersion(doc_id, version)}>
            {say('serve')}
          </Button>
        </>
      )}
    </div>
  )
}
