// `npm run user -- add|list|change|password|remove`: people who log in. It asks the service that runs here, and opens the
// database itself where none does.
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../src/config.ts'
import { ROLES } from '../src/kernel/people.ts'
import { runCommand, say } from './backup/terminal.ts'
import { openHere } from './users/open-here.ts'
import { askService, type Staff } from './users/staff.ts'

const USAGE = `Usage: npm run user -- add NAME --role ${ROLES.join('|')} [--display-name "Li Na"]
       npm run user -- change NAME [--role ${ROLES.join('|')}] [--display-name "Li Na"] [--active true|false]
       npm run user -- password NAME        (a new one, to be changed at the next log-in)
       npm run user -- remove NAME
       npm run user -- list
People need a key to be set (API_KEY or API_KEYS_FILE). With API_KEYS_FILE alone, give a key of scope admin as FRONTDESK_KEY.`

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
        : () => withStaff((staff) => add(staff, name, fields))
    case 'change':
      return Object.keys(fields).length === 0 ? null : () => withStaff((staff) => change(staff, name, fields))
    case 'password':
      return () => withStaff((staff) => resetPassword(staff, name))
    case 'remove':
      return () => withStaff((staff) => remove(staff, name))
    default:
      return null
  }
})

async function withStaff(work: (staff: Staff) => Promise<void>): Promise<void> {
  const config: Config = readConfig()
  if (config.isKeyless) throw new Error('No key is set: everybody who can connect may do everything. Set API_KEY first')
  const service = await askService(config, process.env.FRONTDESK_KEY)
  const staff = service ?? (await openHere(config))
  try {
    await work(staff)
  } finally {
    await staff.close()
  }
}

async function list(staff: Staff): Promise<void> {
  const { people = [] } = await staff.ask('GET', '')
  for (const { name, display_name, role, is_active, last_seen_at } of people) {
    const seen = last_seen_at === null ? 'never logged in' : `last seen ${last_seen_at}`
    process.stdout.write(`${name}\t${display_name}\t${role}\t${is_active ? 'active' : 'may not log in'}\t${seen}\n`)
  }
}

async function add(staff: Staff, name: string, fields: object): Promise<void> {
  const { password } = await staff.ask('POST', '', { name, ...fields })
  say(`${name} can log in. The password follows; it is shown this once and must be changed at the first log-in:`)
  process.stdout.write(`${password}\n`)
}

async function change(staff: Staff, name: string, fields: object): Promise<void> {
  const { display_name, role, is_active } = await staff.ask('PUT', `/${encodeURIComponent(name)}`, fields)
  say(`${name} is ${display_name}, ${role}, and ${is_active ? 'may' : 'may not'} log in.`)
}

async function resetPassword(staff: Staff, name: string): Promise<void> {
  const { password } = await staff.ask('POST', `/${encodeURIComponent(name)}/password`)
  say(`All log-ins of ${name} have ended. The new password follows; it must be changed at the next log-in:`)
  process.stdout.write(`${password}\n`)
}

async function remove(staff: Staff, name: string): Promise<void> {
  await staff.ask('DELETE', `/${encodeURIComponent(name)}`)
  say(`${name} is removed. What they did keeps the name.`)
}
