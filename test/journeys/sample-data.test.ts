import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'cheerio'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'

const sample = join(import.meta.dirname, '../../sample')
const languages = ['zh', 'en'] as const
const statuses = ['pending', 'processed', 'delivered', 'cancelled']

interface EvaluationCase {
  query: string
  expected_sources: string[]
  expected_content: string[]
  category: string
  history?: { role: string; content: string }[]
}
interface Address {
  address1: string
  address2: string
  city: string
  country: string
  state: string
  zip: string
}
interface Customer {
  user_id: string
  name: { first_name: string; last_name: string }
  address: Address
  email: string
  phone: string
  payment_methods: Record<string, { source: string; id: string }>
  orders: string[]
}
interface Order {
  order_id: string
  user_id: string
  first_name: string
  last_name: string
  email: string
  status: string
  items: { name: string; item_id: string; product_id: string; price: number; options: Record<string, string> }[]
  total: number
  tracking_ids: string[]
  payment_history: { transaction_type: string; amount: number; payment_method_id: string }[]
  address: Address
  cancel_reason: string | null
}
interface Ticket {
  ticket_id: string
  content: string
  solution: string
  status: string
  created_at: string
}

const decode = (path: string, encoding = 'utf-8') =>
  new TextDecoder(encoding, { fatal: true }).decode(readFileSync(join(sample, path)))
const jsonLines = <T>(path: string): T[] =>
  decode(path)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const listed = (path: string) =>
  decode(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
const repeated = (values: string[]) => values.filter((value, index) => values.indexOf(value) !== index)

function visibleText(language: string, name: string): string {
  const text = decode(join('help-centre', language, name), name.endsWith('.txt') ? 'gb18030' : 'utf-8')
  if (name.endsWith('.html')) return load(text)('body').text()
  if (name.endsWith('.csv')) return parse(text).flat().join('\n')
  return text
}

const documents = languages.flatMap((language) =>
  readdirSync(join(sample, 'help-centre', language)).map((name) => ({
    language,
    name,
    text: visibleText(language, name),
  })),
)
const everything = documents.map((document) => document.text.toLowerCase()).join('\n')
const cases = jsonLines<EvaluationCase>('evaluation/builtin.jsonl')
const customers = jsonLines<Customer>('customers.jsonl')
const orders = jsonLines<Order>('orders.jsonl')
const tickets = parse(decode('tickets.csv'), { columns: true }) as unknown as Ticket[]

describe('the help centre', () => {
  test('has 8 to 12 documents in each language, every one with text and a name of its own', () => {
    for (const language of languages) {
      const count = documents.filter((document) => document.language === language).length
      expect(count).toBeGreaterThanOrEqual(8)
      expect(count).toBeLessThanOrEqual(12)
    }
    expect(repeated(documents.map((document) => document.name))).toEqual([])
    for (const { name, text } of documents) expect(text.trim().length, name).toBeGreaterThan(500)
  })

  test('says in each document what its language promises', () => {
    for (const { language, name, text } of documents) {
      const ideographs = text.match(/\p{Script=Han}/gu)?.length ?? 0
      expect(ideographs / text.length > 0.2, name).toBe(language === 'zh')
    }
  })

  test('keeps one file in GB18030, which is no valid UTF-8', () => {
    expect(() => decode('help-centre/zh/contact.zh.txt')).toThrow()
    expect(visibleText('zh', 'contact.zh.txt')).toContain('客服电话 400-333-0199')
  })

  test('has a question and an answer in every row of its CSV files', () => {
    for (const language of languages) {
      const rows = parse(decode(`help-centre/${language}/faq.${language}.csv`), { columns: true }) as unknown as {
        question: string
        answer: string
      }[]
      expect(rows.length).toBeGreaterThanOrEqual(10)
      for (const row of rows) expect(row.question.length * row.answer.length, row.question).toBeGreaterThan(0)
    }
  })

  test('gives the same numbers in both languages', () => {
    const topics = documents.map((document) => document.name.split('.')[0]!)
    for (const topic of new Set(topics)) {
      const [zh, en] = languages.map((language) => numbersOf(topic, language))
      expect(en, topic).toEqual(zh)
    }
  })
})

function numbersOf(topic: string, language: string): string[] {
  const found = documents.filter((entry) => entry.name.startsWith(`${topic}.`) && entry.language === language)
  expect(found.length, `${topic} in ${language}`).toBe(1)
  return [...found[0]!.text.matchAll(/\d+(?:[.,:]\d+)?/g)].map(([number]) => number).sort()
}

describe('the built-in evaluation set', () => {
  test('has 30 different cases in both languages and all four categories', () => {
    expect(cases.length).toBe(30)
    expect(repeated(cases.map((entry) => entry.query))).toEqual([])
    expect(cases.filter((entry) => /\p{Script=Han}/u.test(entry.query)).length).toBe(15)
    const categories = [...new Set(cases.map((entry) => entry.category))].sort()
    expect(categories).toEqual(['direct', 'follow_up', 'paraphrase', 'unanswerable'])
  })

  test('expects passages that stand in the documents it names', () => {
    for (const entry of cases.filter(({ category }) => category !== 'unanswerable')) {
      const texts = documents.filter(({ name }) => entry.expected_sources.includes(name)).map(({ text }) => text)
      expect(texts.length, entry.query).toBe(entry.expected_sources.length)
      expect(entry.expected_sources.length * entry.expected_content.length, entry.query).toBeGreaterThan(0)
      for (const passage of entry.expected_content) expect(texts.join('\n')).toContain(passage)
    }
  })

  test('expects nothing for an unanswerable question, and a history for a follow-up only', () => {
    for (const entry of cases) {
      if (entry.category === 'unanswerable')
        expect([...entry.expected_sources, ...entry.expected_content], entry.query).toEqual([])
      const roles = entry.history?.map((message) => message.role)
      expect(roles, entry.query).toEqual(entry.category === 'follow_up' ? ['user', 'assistant'] : undefined)
    }
  })
})

describe('the shop’s records', () => {
  test('are 25 customers and 40 orders with ids of their own', () => {
    expect([customers.length, orders.length]).toEqual([25, 40])
    expect(repeated(customers.map((customer) => customer.user_id))).toEqual([])
    expect(repeated(orders.map((order) => order.order_id))).toEqual([])
    expect(repeated(orders.flatMap((order) => order.tracking_ids))).toEqual([])
    expect(repeated(customers.flatMap((customer) => [customer.phone, customer.email]))).toEqual([])
    expect([...new Set(orders.map((order) => order.status))].sort()).toEqual([...statuses].sort())
  })

  test('hold well-formed phones, addresses of reserved domains and payment methods', () => {
    for (const { user_id, phone, email, payment_methods: methods } of customers) {
      expect(phone, user_id).toMatch(/^1[3-9]\d{9}$/)
      expect(email, user_id).toMatch(/^[a-z.]+\d+@example\.(com|cn)$/)
      for (const [id, method] of Object.entries(methods)) expect(id).toBe(method.id)
    }
  })

  test('agree: each order belongs to the customer who lists it', () => {
    expect(customers.flatMap((customer) => customer.orders).sort()).toEqual(
      orders.map((order) => order.order_id).sort(),
    )
    for (const order of orders) {
      const customer = customers.find(({ user_id }) => user_id === order.user_id)!
      expect(customer.orders).toContain(order.order_id)
      expect(order).toMatchObject({ ...customer.name, email: customer.email, address: customer.address })
      for (const { payment_method_id: id } of order.payment_history) expect(customer.payment_methods).toHaveProperty(id)
    }
  })

  test('add up: items make the total, and payments less refunds pay for what was not cancelled', () => {
    for (const { order_id, items, total, payment_history: history, status } of orders) {
      const amounts = (type: string) =>
        sum(history.filter((entry) => entry.transaction_type === type).map((entry) => entry.amount))
      expect(sum(items.map((item) => item.price)), order_id).toBe(total)
      expect([amounts('payment'), amounts('refund')], order_id).toEqual([total, status === 'cancelled' ? total : 0])
    }
  })

  test('have tracking numbers once dispatched, and a reason once cancelled', () => {
    for (const { order_id, status, tracking_ids: tracking, cancel_reason: reason } of orders) {
      expect(order_id).toMatch(/^#W\d{7}$/)
      expect(tracking.length > 0, order_id).toBe(status === 'processed' || status === 'delivered')
      for (const id of tracking) expect(id).toMatch(/^\d{12}$/)
      expect(reason !== null, order_id).toBe(status === 'cancelled')
    }
  })

  test('do not hold the order number that the help centre shows as an example', () => {
    expect(everything).toContain('#w1002003')
    expect(orders.map((order) => order.order_id)).not.toContain('#W1002003')
  })
})

describe('the tickets', () => {
  test('are about 150, with ids of their own, in order of time', () => {
    expect(tickets.length).toBeGreaterThanOrEqual(140)
    expect(repeated(tickets.map((ticket) => ticket.ticket_id))).toEqual([])
    const times = tickets.map((ticket) => new Date(ticket.created_at).toISOString().replace('.000', ''))
    expect(times).toEqual(tickets.map((ticket) => ticket.created_at))
    expect(times).toEqual([...times].sort())
  })

  test('are resolved with a solution, or not and without', () => {
    expect([...new Set(tickets.map((ticket) => ticket.status))].sort()).toEqual(['open', 'pending', 'resolved'])
    for (const { ticket_id, status, content, solution } of tickets) {
      expect(content.trim().length, ticket_id).toBeGreaterThan(0)
      if (status !== 'resolved') expect(solution, ticket_id).toBe('')
    }
    expect(tickets.filter((ticket) => ticket.solution !== '').length).toBeGreaterThan(75)
  })

  test('speak of orders that exist', () => {
    const mentioned = tickets.flatMap((ticket) => ticket.content.match(/#W\d{7}/g) ?? [])
    expect(mentioned.length).toBeGreaterThan(20)
    expect(orders.map((order) => order.order_id)).toEqual(expect.arrayContaining(mentioned))
  })
})

describe('the word lists', () => {
  test('of the glossary are all used by the help centre', () => {
    const terms = listed('glossary.txt').flatMap((line) => line.split(','))
    expect(terms.filter((term) => !everything.includes(term.toLowerCase()))).toEqual([])
  })

  test('of the dictionary are Chinese words that the help centre uses, each listed once', () => {
    const words = listed('dictionary.txt')
    expect(repeated(words)).toEqual([])
    expect(words.filter((word) => !/^\p{Script=Han}+$/u.test(word) || !everything.includes(word))).toEqual([])
  })

  test('of synonyms are groups of at least two, no word in two groups', () => {
    const groups = listed('synonyms.txt').map((line) => line.split(','))
    expect(groups.filter((group) => group.length < 2 || group.some((word) => word.trim() === ''))).toEqual([])
    expect(repeated(groups.flat())).toEqual([])
  })

  test('of sensitive words have categories, and the help centre passes them', () => {
    for (const language of languages) {
      const lines = listed(`sensitive-words/${language}.txt`)
      const headings = lines.filter((line) => /^\[\w+\]$/.test(line))
      expect(headings).toEqual(['[advertising]', '[gambling]', '[scam]', '[abuse]', '[credentials]'])
      expect(lines[0]).toBe(headings[0])
      const words = lines.filter((line) => !headings.includes(line))
      expect(repeated(words)).toEqual([])
      expect(words.filter((word) => everything.includes(word.toLowerCase()))).toEqual([])
    }
  })

  test('of prices name a positive input price for each model', () => {
    const prices = parseYaml(decode('prices.yaml')) as { models: Record<string, { input: number; output: number }> }
    expect(Object.keys(prices.models).length).toBeGreaterThan(0)
    for (const [model, { input, output }] of Object.entries(prices.models)) {
      expect(model).toMatch(/^example-/)
      expect(input > 0 && output >= 0, model).toBe(true)
    }
  })
})
