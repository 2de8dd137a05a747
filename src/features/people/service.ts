import type { RecordedChange } from '../../kernel/changes.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Role } from '../../kernel/people.ts'
import type { Executor } from '../../platform/postgres/index.ts'
import { entryOf } from './audit.ts'
import { type AuditFilter, insertEntry, listEntries } from './audit-queries.ts'
import { deleteLogInsOf } from './log-in-queries.ts'
import { createLogIns, digestOf, type LogInsOptions } from './log-ins.ts'
import { assertGoodPassword, hashPassword, isPassword, newPassword } from './passwords.ts'
import {
  countMembers,
  deleteMember,
  findMember,
  findPassword,
  insertMember,
  listMembers,
  lockAdmins,
  updateMember,
  updatePassword,
} from './queries.ts'
import { createThrottle } from './throttle.ts'
import type { AuditEntry, Member, MemberChange } from './types.ts'

export interface PeopleOptions extends LogInsOptions {
  /** No key is set: everybody who can connect may do everything, and there are no people. */
  isKeyless: boolean
}

export type People = ReturnType<typeof createPeople>

export interface NewMember {
  name: string
  displayName?: string | undefined
  role: Role
  /** Undefined: one is made, which must be changed at the first log-in. */
  password?: string | undefined
}

/** People who work with the service, their log-ins, and the log of what they changed. */
export function createPeople(options: PeopleOptions) {
  const { db, isKeyless, clock } = options
  const { executor } = db
  const logIns = createLogIns(options)
  const throttle = createThrottle({ db, now: clock.now })

  return {
    logIns,
    isKeyless,

    list: (): Promise<Member[]> => listMembers(executor),
    count: (): Promise<number> => countMembers(executor),
    find: (name: string): Promise<Member | undefined> => findMember(executor, name),

    /** With the password, where one was made. Throws conflict, also while no key is set. */
    async add({ name, displayName, role, password }: NewMember): Promise<Member & { password?: string }> {
      assertKeyed(isKeyless)
      const given = password ?? newPassword()
      if (password !== undefined) assertGoodPassword(password, name, 'password')
      const stored = await hashPassword(given)
      const mustChange = password === undefined
      const member = await insertMember(executor, {
        name,
        displayName: displayName ?? name,
        role,
        password: stored,
        mustChange,
      })
      if (!member) throw new AppError('conflict', 'person', `name: ${name} is taken`)
      return { ...member, ...(mustChange && { password: given }) }
    },

    /** Throws not_found, and conflict where no admin would be left. */
    change: (name: string, change: MemberChange): Promise<{ before: Member; after: Member }> =>
      db.transaction(async (trx) => {
        const leaves = change.isActive === false || (change.role !== undefined && change.role !== 'admin')
        const admins = leaves ? await lockAdmins(trx) : []
        const before = await findOr404(trx, name)
        if (leaves) assertAdminStays(before, admins)
        const after = await updateMember(trx, name, change)
        if (change.isActive === false) await deleteLogInsOf(trx, name, null)
        return { before, after: after ?? before }
      }),

    /** Their name stays on all that they wrote and did. Throws not_found, and conflict where no admin would be left. */
    remove: (name: string): Promise<Member> =>
      db.transaction(async (trx) => {
        const admins = await lockAdmins(trx)
        const member = await findOr404(trx, name)
        assertAdminStays(member, admins)
        return (await deleteMember(trx, name)) ?? member
      }),

    /** Sets a password that must be changed at the next log-in, and ends all log-ins. Throws not_found. */
    async resetPassword(name: string): Promise<string> {
      const password = newPassword()
      const stored = await hashPassword(password)
      await db.transaction(async (trx) => {
        await findOr404(trx, name)
        await updatePassword(trx, name, stored, true)
        await deleteLogInsOf(trx, name, null)
      })
      return password
    },

    /** One's own; the log-in that asks stays, all others end. Throws invalid, and too_many after several wrong ones. */
    async changePassword(
      { name, address, token }: { name: string; address: string; token: string },
      { current, next }: { current: string; next: string },
    ): Promise<void> {
      await throttle.assertFree(name, address)
      if (!(await isPassword(current, await findPassword(executor, name)))) {
        await throttle.failed(name, address)
        throw new AppError('invalid', 'password', 'current_password: is wrong')
      }
      if (current === next) throw new AppError('invalid', 'password', 'new_password: is the same as before')
      assertGoodPassword(next, name, 'new_password')
      const stored = await hashPassword(next)
      await db.transaction(async (trx) => {
        await updatePassword(trx, name, stored, false)
        await deleteLogInsOf(trx, name, digestOf(token))
      })
      await throttle.succeeded(name, address)
    },

    record: (change: RecordedChange): Promise<void> => insertEntry(executor, entryOf(change)),
    audit: (filter: AuditFilter): Promise<AuditEntry[]> => listEntries(executor, filter),
  }
}

/** Throws conflict: without a key a log-in would protect nothing. */
export function assertKeyed(isKeyless: boolean): void {
  if (!isKeyless) return
  const message = 'No key is set: everybody who can connect may do everything. Set API_KEY, and people can log in'
  throw new AppError('conflict', 'no_key', message)
}

async function findOr404(trx: Executor, name: string): Promise<Member> {
  const member = await findMember(trx, name, true)
  if (!member) throw new AppError('not_found', 'person', `Nobody has the name ${name}`)
  return member
}

function assertAdminStays({ name, role, isActive }: Member, admins: readonly string[]): void {
  if (role !== 'admin' || !isActive || admins.some((each) => each !== name)) return
  throw new AppError('conflict', 'last_admin', `${name} is the last admin who may log in: make another one first`)
}
