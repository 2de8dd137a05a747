// Lists and search of conversations at 1,000 and at 100,000 of them, ten messages each: `npm run bench:desk`. Both sizes in one
// run, asked in turns, over HTTP without a network. Embedded database, or the server named by TEST_DATABASE_URL.
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createTestApp, type TestApp } from '../test/support/test-app.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '60' },
  },
})
const MESSAGES = 10
/** Share of the conversations that wait for a person, that somebody has, and that were resolved. */
const STATES = sql`case when n % 20 = 0 then 'pending' when n % 100 = 1 then 'assigned' when n % 3 = 0 then 'resolved' end`

const QUESTIONS: [what: string, query: string][] = [
  ['the latest', 'limit=50'],
  ['waiting', 'status=pending&limit=50'],
  ['of one person', 'agent_id=agent-3&limit=50'],
  ['of one customer', 'user_id=user-77&limit=50'],
  ['unread of one person', 'agent_id=agent-3&unread=true&limit=50'],
  ['with counts', 'status=assigned&counts=true&limit=50'],
  ['a word in every tenth message', 'q=refund&limit=50'],
  ['two frequent words', 'q=refund%20parcel&limit=50'],
  ['a word in one of 2,000', 'q=zebra&limit=50'],
  ['a word said once', 'q=unicorn&limit=50'],
  ['a word that nobody said', 'q=hippogriff&limit=50'],
  ['Chinese', `q=${encodeURIComponent('退款到账')}&limit=50`],
  ['one word among those of one person', 'q=refund&agent_id=agent-3&limit=50'],
]

const small = await fill(Number(values.small))
const large = await fill(Number(values.large))
try {
  console.log(`Milliseconds, median of ${values.rounds} (and the slowest tenth)`)
  console.log(`${''.padEnd(38)}${values.small.padStart(16)}${values.large.padStart(18)}   times`)
  let worst = 0
  for (const [what, query] of QUESTIONS) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [index, app] of [small, large].entries()) times[index as 0 | 1].push(await ask(app, query))
    }
    const [one, other] = times.map(summary) as [Summary, Summary]
    worst = Math.max(worst, other.median / one.median)
    console.log(`${what.padEnd(38)}${show(one)}  ${show(other)}   ${(other.median / one.median).toFixed(2)}`)
  }
  console.log(`At most ${worst.toFixed(2)} times as long`)
} finally {
  await small.close()
  await large.close()
}

interface Summary {
  median: number
  slow: number
}

function summary(times: number[]): Summary {
  const sorted = times.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, slow: sorted[Math.floor(sorted.length * 0.9)] ?? 0 }
}

function show({ median, slow }: Summary): string {
  return `${median.toFixed(2)} (${slow.toFixed(2)})`.padStart(16)
}

async function ask(test: TestApp, query: string): Promise<number> {
  const start = performance.now()
  const { status, body } = await test.call('GET', `/api/v1/agent/sessions?${query}&reader=agent-3`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return performance.now() - start
}

/** Conversations as if they had gone on for months, with their words stored by the service itself. */
async function fill(count: number): Promise<TestApp> {
  const test = await createTestApp()
  const { executor } = test.db
  await sql`insert into chat_sessions (session_id, user_id, channel, agent_status, agent_id, priority, escalated_at, accepted_at,
      created_at, updated_at)
    select 'bench-' || n, 'user-' || n % 10000, (array['web', 'app', 'wechat'])[1 + n % 3], ${STATES},
      case when n % 100 = 1 or n % 3 = 0 then 'agent-' || n / 100 % 40 end, 'medium',
      case when n % 20 = 0 or n % 100 = 1 or n % 3 = 0 then now() end, now(), now(), now() - make_interval(secs => (${count} - n) * 60)
    from generate_series(1, ${count}) n`.execute(executor)
  for (let message = 0; message < MESSAGES; message++) {
    await sql`insert into chat_messages (message_id, session_id, role, content, created_at)
      select 'm-' || n || '-' || ${message}::integer, 'bench-' || n, ${message % 2 === 0 ? 'user' : 'assistant'},
        case when n = 700 and ${message} = 4 then 'I saw a unicorn'
          when (n * 10 + ${message}) % 2000 = 8 then 'Do you sell zebra stripes?'
          when n % 10 = ${message} then (array['When do I get my refund?', '我的退款什么时候到账？', 'My refund, where is the parcel?'])[1 + n / 10 % 3]
          else (array['Where is my parcel?', 'Your order left the warehouse this morning and arrives tomorrow.', '你们几点开门？', 'How do I change my address?'])[1 + (n + ${message}) % 4] || ' ' || n % 997 end,
        now() - make_interval(secs => (${count} - n) * 60 + 3600 - ${message})
      from generate_series(1, ${count}) n`.execute(executor)
  }
  const start = performance.now()
  for (let isDone = false; !isDone; ) {
    await test.call('GET', '/api/v1/agent/sessions?q=anything')
    const { rows } = await sql<{ isDone: boolean }>`select (select max(seq) from chat_messages)
      <= coalesce((select seq from desk_search_state), 0) as "isDone"`.execute(executor)
    isDone = rows[0]?.isDone ?? false
  }
  const seconds = (performance.now() - start) / 1_000
  console.log(`${count} conversations: words of ${count * MESSAGES} messages stored in ${seconds.toFixed(1)} s`)
  await sql`vacuum analyze chat_sessions`.execute(executor)
  await sql`vacuum analyze chat_messages`.execute(executor)
  await sql`vacuum analyze desk_words`.execute(executor)
  return test
}
