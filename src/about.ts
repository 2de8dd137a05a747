import { readFileSync } from 'node:fs'

/** As package.json has it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** The groups of endpoints as the API pages show them. */
export const GROUPS = {
  chat: 'Customers ask, the assistant answers',
  widget: 'The same from pages of the shop, by tokens of their own',
  'agent-assist': 'What people who answer customers work with',
  escalation: 'Answers of people on their way into the knowledge base',
  gateway: 'Messages of every channel',
  knowledge: 'Documents, their versions and quality',
  updates: 'The knowledge base as files keep it',
  mining: 'Frequent problems in past tickets',
  business: 'The shop’s own records',
  customers: 'What is known of a customer, shown and erased',
  tuner: 'Parameters that take effect at once',
  evaluation: 'How much is found, and how often the reply is right',
  performance: 'How fast it is, and the cache of replies',
  observability: 'Circuit breakers, alerts, health, token usage',
  monitor: 'Turns, agents and sessions',
  operations: 'Experiments, dashboard, release checklist',
  console: 'People who work with the service, their log-ins, and what they changed',
  mcp: 'Tools for assistants elsewhere',
  webhooks: 'Programs elsewhere that are told what happens here',
  settings: 'What the service goes by, and how the assistant speaks',
  keys: 'Named keys and when they were used',
  health: 'Liveness',
}
