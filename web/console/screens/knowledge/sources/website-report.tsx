import { getKnowledgeImportWebsiteReport } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { say } from './words.ts'

/** What came of an import; a run says its address. */
export function WebsiteReport({ address }: { address: string }) {
  const reportId = address.slice(address.lastIndexOf('/') + 1)
  const report = useResource(reportId, (signal) =>
    getKnowledgeImportWebsiteReport(desk, { path: { report_id: reportId }, signal }),
  )
  return (
    <Shown of={report} rows={1}>
      {({ imported, unchanged, skipped, failed, gone, left, failures }) => (
        <>
          <p class="dense second">
            {say('counts', { imported, unchanged, skipped, failed })}
            {gone > 0 && ` · ${say('gone', { n: gone })}`}
            {left > 0 && ` · ${say('left', { n: left })}`}
          </p>
          {failures.length > 0 && (
            <details>
              <summary class="dense">{say('failures')}</summary>
              <ul class="failures dense">
                {failures.map(({ url, reason }) => (
                  <li key={url}>
                    {url} <span class="second">{reason}</span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </Shown>
  )
}
