// `npm run widget-key -- add|list|rotate|rotate-secret|revoke`: public keys of widgets on pages of the shop. It asks the
// service that runs here, and opens the database itself where none does.
import { parseArgs } from 'node:util'
import { runCommand, say } from './backup/terminal.ts'
import type { Service } from './service/ask-service.ts'
import { withService } from './service/with-service.ts'

const USAGE = `Usage: npm run widget-key -- add NAME --origin https://shop.example [--origin https://*.shop.example]
       npm run widget-key -- list
       npm run widget-key -- rotate ID [--grace-hours 24]          (a new public key; the one before works that long)
       npm run widget-key -- rotate-secret ID [--grace-hours 24]   (a new secret for signing customers)
       npm run widget-key -- revoke ID                             (for ever)
With API_KEYS_FILE alone, give a key of scope admin as FRONTDESK_KEY.`

const WIDGETS = 'settings/widgets'

interface Widget {
  widget_id: string
  name: string
  key: string
  allowed_origins: string[]
  revoked_at: string | null
}
type WithSecret = Widget & { identity_secret: string }

await runCommand(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { origin: { type: 'string', multiple: true }, 'grace-hours': { type: 'string', default: '24' } },
  })
  const [command = '', name = '', ...rest] = positionals
  const hours = values['grace-hours']
  if (rest.length > 0 || (name === '') !== (command === 'list') || !/^\d{1,3}$/.test(hours)) return null
  const grace = { grace_hours: Number(hours) }
  switch (command) {
    case 'list':
      return () => withService(list)
    case 'add':
      return values.origin ? () => withService((service) => add(service, name, values.origin ?? [])) : null
    case 'rotate':
      return () => withService((service) => rotate(service, name, grace))
    case 'rotate-secret':
      return () => withService((service) => rotateSecret(service, name, grace))
    case 'revoke':
      return () => withService((service) => revoke(service, name))
    default:
      return null
  }
})

async function list(service: Service): Promise<void> {
  const { widgets } = await service.ask<{ widgets: Widget[] }>('GET', WIDGETS)
  for (const { widget_id, name, key, allowed_origins, revoked_at } of widgets) {
    const state = revoked_at === null ? allowed_origins.join(' ') : `revoked ${revoked_at}`
    process.stdout.write(`${widget_id}\t${name}\t${key}\t${state}\n`)
  }
}

async function add(service: Service, name: string, origins: string[]): Promise<void> {
  const made = await service.ask<WithSecret>('POST', WIDGETS, { name, allowed_origins: origins })
  say(`The widget ${made.widget_id} has a public key. It goes into pages of ${made.allowed_origins.join(', ')}:`)
  process.stdout.write(`${made.key}\n`)
  say("The secret by which the shop's server signs its customers follows; it is shown this once:")
  process.stdout.write(`${made.identity_secret}\n`)
}

async function rotate(service: Service, id: string, grace: object): Promise<void> {
  const { key } = await service.ask<Widget>('POST', `${pathOf(id)}/rotate`, grace)
  say('The new public key follows:')
  process.stdout.write(`${key}\n`)
}

async function rotateSecret(service: Service, id: string, grace: object): Promise<void> {
  const { identity_secret } = await service.ask<WithSecret>('POST', `${pathOf(id)}/rotate-secret`, grace)
  say('The new secret follows; it is shown this once:')
  process.stdout.write(`${identity_secret}\n`)
}

async function revoke(service: Service, id: string): Promise<void> {
  const { name } = await service.ask<Widget>('DELETE', pathOf(id))
  say(`The widget ${name} is revoked: its key and the tokens of its sessions no longer work.`)
}

function pathOf(id: string): string {
  return `${WIDGETS}/${encodeURIComponent(id)}`
}
