import { useSignal } from '@preact/signals'
import { deleteCustomer, listCustomerErasures } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Check, TextField } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { At } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

const LIMIT = 50

/** What is known of a customer, to be handed over or erased when they ask for it. */
export function CustomersPage() {
  const erasures = useResource('erasures', (signal) => listCustomerErasures(desk, { query: { limit: LIMIT }, signal }))
  const id = useSignal('')
  const withRecords = useSignal(false)
  const isErasing = useSignal(false)
  const download = async () => {
    const response = await desk.send('GET /api/v1/customers/{user_id}/export', { path: { user_id: id.value } })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = `${id.value}.json`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <form class="settings-form" onSubmit={(event) => event.preventDefault()}>
        <TextField label={say('customers.id')} value={id.value} onInput={(text) => (id.value = text.trim())} />
        <div class="wide row">
          <Button disabled={id.value === ''} onPress={download}>
            {say('customers.export')}
          </Button>
          <Button kind="danger" disabled={id.value === ''} onPress={() => void (isErasing.value = true)}>
            {say('customers.erase')}
          </Button>
          <Check
            label={say('customers.withRecords')}
            checked={withRecords.value}
            onChange={(isOn) => (withRecords.value = isOn)}
          />
        </div>
      </form>
      {isErasing.value && (
        <Confirm
          title={say('customers.eraseTitle', { id: id.value })}
          text={say('customers.eraseText')}
          action={say('customers.erase')}
          onClose={() => (isErasing.value = false)}
          onConfirm={async () => {
            await deleteCustomer(desk, { path: { user_id: id.value }, query: { records: withRecords.value } })
            toast({ text: say('customers.erased') })
            await erasures.reload()
          }}
        />
      )}
      <Shown of={erasures}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="second">{say('customers.none')}</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{say('customers.subject')}</th>
                  <th scope="col">{say('customers.when')}</th>
                  <th scope="col">{say('customers.by')}</th>
                  <th scope="col">{say('customers.count')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((each) => (
                  <tr key={each.erasure_id}>
                    <td>
                      <code>{each.subject.slice(0, 16)}</code>{' '}
                      {each.state === 'started' && <Tag tone="warn">{say('customers.running')}</Tag>}
                    </td>
                    <td>
                      <At at={each.started_at} />
                    </td>
                    <td>{each.requested_by}</td>
                    <td class="number">{Object.values(each.erased).reduce((sum, count) => sum + count, 0)}</td>
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
