import type { OwnedTable } from './types.ts'

/** How long each kind is kept, in days; 0: until somebody removes it. */
export interface RetentionDays {
  conversations: number
  traces: number
  tickets: number
  alerts: number
  evaluations: number
  audit: number
  series: number
}

/** How rows of a table come to their end by themselves. */
export type Kept =
  /** Some days after `column`, or as long as a setting says. */
  | { by: 'age'; column: string; days: number | keyof RetentionDays }
  /** The newest so many, by a column that grows. */
  | { by: 'number'; column: string; newest: number }
  /** With the conversation or the row that they belong to. */
  | { by: 'owner' }
  /** They are the state or the content of the service, and replaced or bounded by whoever writes them. */
  | { by: 'use'; why: string }

export interface Holding {
  /** Personal data that it may hold of a customer; null: none. */
  personal: string | null
  /** Which part of an erasure removes that. */
  erasedWith: 'conversation' | 'customer' | 'records' | 'quotes' | null
  kept: Kept
}

/** A table whose rows go by themselves, the column that tells which first, and how many days or rows are kept. */
export type Bounded = { table: string; column: string } & ({ days: number } | { newest: number })

const owner: Kept = { by: 'owner' }
const age = (column: string, days: number | keyof RetentionDays): Kept => ({ by: 'age', column, days })
const use = (why: string): Kept => ({ by: 'use', why })
const nothing = (kept: Kept): Holding => ({ personal: null, erasedWith: null, kept })

/** Every table there is. A test compares it with the database, and erases a customer of whom each of them holds something. */
export const HOLDINGS: Readonly<Record<string, Holding>> = {
  chat_sessions: {
    personal: 'who spoke, how to reach them, cards, notes, what the next turn needs',
    erasedWith: 'conversation',
    kept: age('updated_at', 'conversations'),
  },
  chat_messages: { personal: 'what was said', erasedWith: 'conversation', kept: owner },
  chat_feedback: { personal: 'ratings and comments', erasedWith: 'conversation', kept: owner },
  traces: { personal: 'what was said, masked', erasedWith: 'conversation', kept: age('started_at', 'traces') },
  attachments: { personal: 'files of customers', erasedWith: 'conversation', kept: owner },
  attachment_pieces: { personal: 'contents of files', erasedWith: 'conversation', kept: owner },
  session_ratings: { personal: 'ratings and comments', erasedWith: 'conversation', kept: owner },
  desk_drafts: { personal: 'what people begin to write', erasedWith: 'conversation', kept: owner },
  desk_notes: { personal: 'what people note', erasedWith: 'conversation', kept: owner },
  desk_words: { personal: 'hashes of the words of messages', erasedWith: 'conversation', kept: owner },
  channel_links: { personal: 'ids of platforms', erasedWith: 'customer', kept: use('set by the shop') },
  gateway_messages: { personal: 'answers, user ids', erasedWith: 'customer', kept: age('created_at', 2) },
  gateway_outbox: { personal: 'what is sent', erasedWith: 'conversation', kept: age('created_at', 2) },
  // No platform takes a message without a recent one of the customer, which brings the address anew.
  gateway_addresses: { personal: 'ids of platforms', erasedWith: 'conversation', kept: age('updated_at', 30) },
  idempotency_keys: { personal: 'answers', erasedWith: 'customer', kept: age('created_at', 1) },
  human_solutions: { personal: 'questions, answers', erasedWith: 'conversation', kept: use('a queue people work on') },
  // By when they came here: a ticket of years ago is imported today.
  tickets: { personal: 'questions, answers', erasedWith: 'conversation', kept: age('imported_at', 'tickets') },
  mining_clusters: { personal: 'quotes of tickets', erasedWith: 'quotes', kept: use('known from run to run') },
  mining_runs: { personal: 'quotes of tickets', erasedWith: 'quotes', kept: use('each run keeps the last 20') },
  evaluation_cases: { personal: 'questions', erasedWith: 'quotes', kept: use('test sets of the shop') },
  evaluation_reports: { personal: 'questions', erasedWith: 'quotes', kept: age('created_at', 'evaluations') },
  business_customers: { personal: 'the account', erasedWith: 'records', kept: use('a copy of the shop’s records') },
  business_orders: { personal: 'orders', erasedWith: 'records', kept: use('a copy of the shop’s records') },
  business_changes: {
    personal: 'what was changed on request',
    erasedWith: 'customer',
    kept: use('keeps a change from happening twice'),
  },
  alerts: { personal: 'the session of a lost message', erasedWith: 'conversation', kept: age('resolved_at', 'alerts') },

  webhooks: nothing(use('receivers that the shop has named')),
  webhook_events: { personal: 'ids of conversations', erasedWith: 'conversation', kept: age('created_at', 30) },
  webhook_deliveries: nothing(owner),
  webhook_attempts: nothing(owner),
  mail_folders: nothing(use('one row a folder')),
  mail_messages: { personal: 'digests of ids of mails', erasedWith: 'conversation', kept: owner },
  // Digests of addresses.
  mail_answers: nothing(age('answered_at', 1)),
  desk_teams: nothing(use('one row a team')),
  desk_assignment: nothing(use('one row')),
  desk_hours: nothing(use('one row')),
  widgets: nothing(use('made and revoked by people')),
  widget_used_identities: nothing(age('expires_at', 1)),
  desk_presence: nothing(use('one row a colleague')),
  desk_reads: nothing(owner),
  desk_replies: nothing(use('written by people, for everybody')),
  desk_labels: nothing(use('settings')),
  desk_session_labels: nothing(owner),
  desk_search_state: nothing(use('one row')),
  people: nothing(use('those who work here')),
  log_ins: nothing(age('expires_at', 1)),
  log_in_failures: nothing(age('failed_at', 1)),
  // Without what people wrote; sessions by their ids alone.
  audit_log: nothing(age('happened_at', 'audit')),
  customer_erasures: nothing(use('who was erased, as a digest: proof that it was done')),
  shared_secrets: nothing(use('one row a purpose')),
  // Digests, which are taken for minutes.
  callback_signatures: nothing(age('created_at', 1)),
  erased_sessions: nothing(age('noted_at', 1)),
  evaluation_testsets: nothing(use('names of test sets')),
  api_key_uses: nothing(use('one row a key')),
  exclusive_jobs: nothing(use('one row a job')),
  job_runs: nothing(use('each job keeps its last 200')),
  periodic_tasks: nothing(use('one row a task')),
  model_calls: nothing(age('ended_at', 35)),
  metric_buckets: nothing(age('bucket_at', 2)),
  alert_silences: nothing(use('until they end')),
  // Minutes and hours go earlier, with those that are made of them.
  series_points: nothing(age('at', 'series')),
  metric_totals: nothing(use('sums since the first start')),
  agent_calls: nothing(use('sums since the first start')),
  experiments: nothing(use('settings; who gets which variant is a hash and not stored')),
  experiment_metrics: nothing(owner),
  // Hashes of which a number is estimated: none leads back to a session.
  experiment_units: nothing(owner),
  assistant_settings: nothing(use('settings')),
  assistant_settings_history: nothing(use('settings')),
  tuner_state: nothing(use('settings')),
  tuner_history: nothing(use('settings')),
  tuner_searches: nothing({ by: 'number', column: 'ordinal', newest: 50 }),
  mining_sessions_cursor: nothing(use('one row')),
  update_runs: nothing(use('each run keeps the last 100')),
  knowledge_documents: nothing(use('published by the shop, for everybody')),
  knowledge_accepted_pairs: nothing(use('pairs of published passages, by their hashes')),
  knowledge_versions: nothing(use('published by the shop, for everybody')),
  knowledge_originals: nothing(use('files of published versions, within a total size')),
  knowledge_original_pieces: nothing(owner),
  knowledge_chunks: nothing(use('published by the shop, for everybody')),
  knowledge_gaps: nothing(use('meanings of questions, for as long as one of these is kept')),
  knowledge_gap_questions: { personal: 'questions, masked', erasedWith: 'conversation', kept: owner },
  knowledge_gaps_cursor: nothing(use('one row')),
  knowledge_embedding_generations: nothing(use('one row a generation')),
  knowledge_embeddings: nothing(use('of published passages')),
  website_pages: nothing(use('pages of the shop’s website')),
  website_imports: nothing(use('each run keeps the last 50')),
  knowledge_state: nothing(use('one row')),
  schema_migrations: nothing(use('which migrations ran')),
}

/** Tables of which customers own rows, in the order in which an export shows them. */
export const OWNED_TABLES: readonly OwnedTable[] = [
  owned('chat_sessions', 'sessions', 'session_id', 'session_id', 'turn_owner', 'turn_expires_at'),
  owned('chat_messages', 'messages', 'session_id', 'seq', 'seq'),
  owned('chat_feedback', 'feedback', 'session_id', 'message_id'),
  owned('traces', 'traces', 'session_id', 'trace_id', 'seq'),
  owned('tickets', 'tickets', 'session_id', 'ticket_id'),
  owned('human_solutions', 'solutions', 'session_id', 'solution_id'),
  owned('attachments', 'attachments', 'session_id', 'attachment_id'),
  owned('session_ratings', 'ratings', 'session_id', 'resolution'),
  owned('desk_notes', 'notes', 'session_id', 'note_id'),
  owned('gateway_outbox', 'deliveries', 'session_id', 'delivery_key', 'delivery_id'),
  owned('gateway_addresses', 'channel_addresses', 'session_id', 'session_id'),
  owned('business_customers', 'customers', 'user_id', 'user_id'),
  owned('business_orders', 'orders', 'user_id', 'order_key', 'position'),
  owned('channel_links', 'channel_links', 'user_id', 'channel_user_id'),
  owned('business_changes', 'changes', 'user_id', 'idempotency_key'),
  owned('gateway_messages', 'channel_messages', 'channel_user', 'message_id', 'owner', 'lease_expires_at'),
]

function owned(
  table: string,
  as: OwnedTable['as'],
  of: OwnedTable['of'],
  key: string,
  ...hidden: string[]
): OwnedTable {
  return { table, as, of, key, hidden }
}

/** @param as how an erasure counts its rows */
export function ownedTable(as: OwnedTable['as']): OwnedTable {
  return OWNED_TABLES.find((each) => each.as === as) as OwnedTable
}

/** Traces and reports are large. */
const LARGE = new Set(['traces', 'evaluation_reports', 'tuner_searches'])

/** Rows of one statement: it is over before anybody waits for it. */
export function batchSize(table: string): number {
  return LARGE.has(table) ? 100 : 500
}

/** Rows that go by themselves, by age or by number; conversations have a removal of their own. */
export function boundsOf(days: RetentionDays): Bounded[] {
  return Object.entries(HOLDINGS).flatMap(([table, { kept }]): Bounded[] => {
    if (kept.by === 'number') return [{ table, column: kept.column, newest: kept.newest }]
    if (kept.by !== 'age' || table === 'chat_sessions') return []
    const wanted = typeof kept.days === 'number' ? kept.days : days[kept.days]
    return wanted === 0 ? [] : [{ table, column: kept.column, days: wanted }]
  })
}
