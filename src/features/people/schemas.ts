import { Type } from 'typebox'
import { periodFields } from '../../http/period.ts'
import { nullable, Timestamp } from '../../http/schemas.ts'
import { ROLES, type Role } from '../../kernel/people.ts'
import { SCOPES, type Scope } from '../../kernel/scopes.ts'

const MAX_PASSWORD = 200

/** Small letters, digits and `.` `_` `-`: a name is typed, stands in addresses, and is the `agent_id` of whatever its owner does. */
const Name = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9._-]*$',
  description: 'Never changed; stands for the person as `agent_id` and as author',
  examples: ['li.na'],
})
const DisplayName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
  description: 'Shown to people',
  examples: ['Li Na'],
})
const RoleText = Type.Unsafe<Role>({
  type: 'string',
  enum: [...ROLES],
  description: '`agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything',
})
const Password = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_PASSWORD, description, examples: ['correct horse battery'] })

export const PersonParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) })

export const LogInBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    password: Type.Optional(Type.String({ maxLength: MAX_PASSWORD })),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'In place of name and password' })),
    code: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The one that the log of the first start shows' }),
    ),
  },
  { examples: [{ name: 'li.na', password: 'correct horse battery' }] },
)

const MODES = ['keyless', 'log_in'] as const

/** Who asks, as the console needs it first of all. */
export const CallerBody = Type.Object({
  authenticated: Type.Boolean(),
  mode: Type.Unsafe<(typeof MODES)[number]>({
    type: 'string',
    enum: [...MODES],
    description: '`keyless`: no key is set, and everybody who can connect may do everything',
  }),
  name: nullable(Type.String({ description: 'Of the person or the key' })),
  person: nullable(Type.Object({ name: Name, display_name: DisplayName, role: RoleText })),
  scopes: Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] })),
  must_change_password: Type.Boolean({ description: 'Nothing else can be done before' }),
  setup_needed: Type.Boolean({ description: 'There are no people yet' }),
})

export const MemberBody = Type.Object({
  name: Name,
  display_name: DisplayName,
  role: RoleText,
  is_active: Type.Boolean({ description: 'May log in' }),
  must_change_password: Type.Boolean(),
  created_at: Timestamp,
  last_seen_at: nullable(Timestamp),
})

/** As colleagues see each other. */
export const PeopleBody = Type.Object({ people: Type.Array(MemberBody) })

export const NewMemberBody = Type.Object({
  name: Name,
  display_name: Type.Optional(DisplayName),
  role: RoleText,
  password: Type.Optional(
    Password('At least 10 characters; left out, one is made and must be changed at the first log-in'),
  ),
})

export const AddedBody = Type.Object({
  ...MemberBody.properties,
  password: Type.Optional(Type.String({ description: 'Where one was made: shown this once' })),
})

export const MemberChangeBody = Type.Object(
  {
    display_name: Type.Optional(DisplayName),
    role: Type.Optional(RoleText),
    is_active: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1, examples: [{ role: 'editor' }] },
)

export const ResetBody = Type.Object({
  name: Name,
  password: Type.String({ description: 'Shown this once; must be changed at the next log-in' }),
})

export const PasswordBody = Type.Object({
  current_password: Password('The one until now'),
  new_password: Password('At least 10 characters'),
})

export const LogInParams = Type.Object({ log_in_id: Type.String({ minLength: 1, maxLength: 100 }) })
export const LogInsQuery = Type.Object({
  all: Type.Optional(Type.Boolean({ default: false, description: 'Those of everybody, for admins' })),
})
export const LogInsBody = Type.Object({
  log_ins: Type.Array(
    Type.Object({
      log_in_id: Type.String(),
      person: nullable(Type.String({ description: 'Null: by a key' })),
      address: Type.String({ examples: ['192.0.2.7'] }),
      user_agent: Type.String(),
      created_at: Timestamp,
      last_used_at: Timestamp,
      expires_at: Timestamp,
    }),
  ),
})

export const DoneBody = Type.Object({ done: Type.Boolean() })

export const AuditQuery = Type.Object({
  actor: Type.Optional(Type.String({ maxLength: 200, description: 'Name of a person or a key' })),
  subject: Type.Optional(Type.String({ maxLength: 300, examples: ['session:sess_4f1c2a9be07d'] })),
  action: Type.Optional(Type.String({ maxLength: 200, description: 'Part of method and route', examples: ['PUT'] })),
  ...periodFields,
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: '`next_before` of the page before' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
})

const Facts = nullable(Type.Object({}, { additionalProperties: true }))

export const AuditBody = Type.Object({
  entries: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      happened_at: Timestamp,
      actor: Type.String(),
      is_person: Type.Boolean({ description: 'False: somebody who logged in with a key of that name' }),
      action: Type.String({ examples: ['PUT /api/v1/tuner/params'] }),
      subject: Type.String(),
      before: Facts,
      after: Facts,
      address: Type.String(),
      request_id: Type.String(),
    }),
  ),
  next_before: nullable(Type.Integer({ description: 'For the next page; null: this was the last' })),
})
