import { listKeys } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Ago, At } from '../../../ui/time.tsx'
import { say } from '../words.ts'

/** Keys of programs. They are made where the service runs, as whoever makes one sees it. */
export function KeysPage() {
  const keys = useResource('keys', (signal) => listKeys(desk, { signal }))
  return (
    <>
      <pre class="settings-code">npm run key</pre>
      <Shown of={keys}>
        {({ keys: all }) =>
          all.length === 0 ? (
            <p class="second">{say('keys.none')}</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{say('keys.name')}</th>
                  <th scope="col">{say('keys.scopes')}</th>
                  <th scope="col">{say('keys.used')}</th>
                  <th scope="col">{say('keys.until')}</th>
                </tr>
              </thead>
              <tbody>
                {all.map((key) => (
                  <tr key={key.key_id}>
                    <td>{key.name}</td>
                    <td>
                      <span class="row">
                        {key.scopes.map((scope) => (
                          <Tag key={scope}>{scope}</Tag>
                        ))}
                      </span>
                    </td>
                    <td>{key.last_used_at ? <Ago at={key.last_used_at} /> : say('never')}</td>
                    <td>{key.expires_at ? <At at={key.expires_at} /> : say('keys.noEnd')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
    </>
  )
}
