// `npm run user -- add|list|change|password|remove`: people who log in. It asks the service that runs here, and opens the
// database itself where none does.
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { ROLES } from '../src/kernel/people.ts'
import { runCommand, say } from './backup/terminal.ts'
import type { Service } from './service/ask-service.ts'
import { withService } from './service/with-service.ts'

const USAGE = `Usage: npm run user -- add NAME --role ${ROLES.join('|')} [--display-name "Li Na"]
       npm run user -- change NAME [--role ${ROLES.join('|')}] [--display-name "Li Na"] [--active true|false]
       npm run user -- password NAME        (a new one, to be changed at the next log-in)
       npm run user -- remove NAME
       npm run user -- list
People need a key to be set (API_KEY or API_KEYS_FILE). With API_KEYS_FILE alone, give a key of scope admin as FRONTDESK_KEY.`

const PEOPLE = 'console/people'

await runCommand(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { role: { type: 'string' }, 'display-name': { type: 'string' }, active: { type: 'string' } },
  })
  const [command = '', name = '', ...rest] = positionals
  if (rest.length > 0 || (name === '') !== (command === 'list')) return null
  const active = values.active === undefined ? undefined : values.active === 'true'
  if (values.active !== undefined && !['true', 'false'].includes(values.active)) return null
  const given = { role: values.role, display_name: values['display-name'], is_active: active }
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  switch (command) {
    case 'list':
      return () => withStaff(list)
    case 'add':
      return values.role === undefined || active !== undefined
        ? null
        : () => withStaff((service) => add(service, name, fields))
    case 'change':
      return Object.keys(fields).length === 0 ? null : () => withStaff((service) => change(service, name, fields))
    case 'password':
      return () => withStaff((service) => resetPassword(service, name))
    case 'remove':
      return () => withStaff((service) => remove(service, name))
    default:
      return null
  }
})

interface Person {
  name: string
  display_name: string
  role: string
  is_active: boolean
  last_seen_at: string | null
}

async function withStaff(work: (service: Service) => Promise<void>): Promise<void> {
  if (readConfig().isKeyless)
    throw new Error('No key is set: everybody who can connect may do everything. Set API_KEY first')
  await withService(work)
}

async function list(service: Service): Promise<void> {
  const { people } = await service.ask<{ people: Person[] }>('GET', PEOPLE)
  for (const { name, display_name, role, is_active, last_seen_at } of people) {
    const seen = last_seen_at === null ? 'never logged in' : `last seen ${last_seen_at}`
    process.stdout.write(`${name}\t${display_name}\t${role}\t${is_active ? 'active' : 'may not log in'}\t${seen}\n`)
  }
}

async function add(service: Service, name: string, fields: object): Promise<void> {
  const { password } = await service.ask<{ password: string }>('POST', PEOPLE, { name, ...fields })
  say(`${name} can log in. The password follows; it is shown this once and must be changed at the first log-in:`)
  process.stdout.write(`${password}\n`)
}

async function change(service: Service, name: string, fields: object): Promise<void> {
  const { display_name, role, is_active } = await service.ask<Person>('PUT', pathOf(name), fields)
  say(`${name} is ${display_name}, ${role}, and ${is_active ? 'may' : 'may not'} log in.`)
}

async function resetPassword(service: Service, name: string): Promise<void> {
  const { password } = await service.ask<{ password: string }>('POST', `${pathOf(name)}/password`)
  say(`All log-ins of ${name} have ended. The new password follows; it must be changed at the next log-in:`)
  process.stdout.write(`${password}\n`)
}

async function remove(service: Service, name: string): Promise<void> {
  await service.ask('DELETE', pathOf(name))
  say(`${name} is removed. What they did keeps the name.`)
}

function pathOf(name: string): string {
  return `${PEOPLE}/${encodeURIComponent(name)}`
}
