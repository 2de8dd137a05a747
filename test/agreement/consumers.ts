import { planTasks } from '../../src/features/chat/agents/router.ts'
import { collectEvidence } from '../../src/features/chat/reply/evidence.ts'
import { loadUnderstand } from '../../src/features/chat/understanding/load.ts'
import { foldText as foldExpected } from '../../src/features/evaluation/targets.ts'
import { holdingTriggers } from '../../src/features/handoff/triggers.ts'
import { languageOf as documentLanguage } from '../../src/features/knowledge/formats/language.ts'
import { findQuantities } from '../../src/features/knowledge/quality/quantities.ts'
import { foldText as foldForWordLists } from '../../src/features/knowledge/quality/word-matcher.ts'
import { mentionedItems } from '../../src/features/orders/lookup.ts'
import type { Order } from '../../src/features/orders/types.ts'
import { fold, foldCase, normalise } from '../../src/language/fold.ts'
import { detectLanguage } from '../../src/language/languages.ts'
import { splitSentences } from '../../src/language/sentences.ts'
import type { Understanding } from '../../src/language/understanding.ts'
import { orderKey } from '../../src/privacy/index.ts'
import { catalogueFor } from './catalogue.ts'
import type { Message } from './messages.ts'

/** Says what one place of the program makes of a message. */
type Consumer = (message: Message) => unknown

/** One judgement: what a clerk would say, and every place that decides it today. */
export interface Judgement {
  /** Undefined: the message leaves it open. */
  expected: Consumer
  consumers: Record<string, Consumer>
  /** The places must agree on messages that leave it open as well. */
  always?: boolean
}

const understand = await loadUnderstand()
const NOTHING_ELSE = {
  language: 'en',
  emotionScore: 0,
  sensitiveTopic: null,
  failedAttempts: 0,
  knowledgeFound: true,
  restriction: null,
  toolFailure: null,
  thresholds: { escalateAfterFailures: 2, angerThreshold: -1 },
} as const

/** A mixed message is answered in Chinese; whatever is neither Chinese nor English is one of the others. */
function replyLanguage(language: string | null): string {
  return language === 'mixed' ? 'zh' : language === 'zh' || language === 'en' ? language : 'other'
}

function plan(message: string, understanding: Understanding, clarifying: string[] = []) {
  return planTasks({ message, understanding, context: { clarifying } })
}

function keysOf(numbers: readonly string[]): string[] {
  return [...new Set(numbers.map((number) => orderKey(number).replace(/(?<=^[A-Z]{1,4})-/, '')))].sort()
}

function orderOf(message: Message): Order {
  const items = catalogueFor(message.language ?? 'zh').map((name) => ({ name }))
  const rest = { total: null, tracking_ids: [], payment_history: [], address: null, cancel_reason: null }
  return { order_id: '#W0000001', user_id: 'anybody', status: 'delivered', items, ...rest }
}

/** Reads every numeral of a message by one reader. */
function numeralsBy(read: (numeral: string, value: number) => unknown): Consumer {
  return ({ numerals = {} }) =>
    Object.fromEntries(Object.entries(numerals).map(([numeral, value]) => [numeral, read(numeral, value)]))
}

/** Does a reader bring both ways of writing a message to the same text? */
function sameBy(folded: (text: string) => string): Consumer {
  return ({ text, written = '' }) => folded(text) === folded(written)
}

const FIVE = ['A', 'B', 'C', 'D', 'E']

function positionIn(chosen: string | undefined): number | undefined {
  const index = FIVE.indexOf(chosen ?? '')
  return index < 0 ? undefined : index + 1
}

export const judgements: Record<string, Judgement> = {
  language: {
    expected: ({ language }) => language && replyLanguage(language),
    consumers: {
      understanding: ({ text }) => replyLanguage(understand(text).language),
      reply: ({ text }) => understand(text).replyLanguage,
      analysis: ({ text }) => replyLanguage(detectLanguage(text)),
      // A document of one letter has no language, so a message as short is told twice over.
      documents: ({ text }) => replyLanguage(documentLanguage([{ type: 'paragraph', text: `${text} ${text}` }])),
    },
  },
  scene: {
    expected: ({ scene }) => scene,
    always: true,
    consumers: {
      understanding: ({ text }) => understand(text).orders.scene,
      // A message of several parts asks for several; the one that leads is among them.
      router: ({ text }) => {
        const understood = understand(text)
        const scenes = plan(text, understood).map((task) => task.orders.scene)
        return (
          scenes.find((each) => each === understood.orders.scene) ?? scenes.find((each) => each !== 'none') ?? 'none'
        )
      },
    },
  },
  consent: {
    expected: ({ consent }) => consent,
    always: true,
    consumers: {
      understanding: ({ text }) => (understand(text).orders.consent ?? 'none').replace('doubtful', 'none'),
    },
  },
  person: {
    expected: ({ person }) => person,
    always: true,
    consumers: {
      router: ({ text }) => plan(text, understand(text)).some(({ agent }) => agent === 'escalation'),
      trigger: ({ text }) => {
        const { wantsHuman } = understand(text)
        return holdingTriggers({ ...NOTHING_ELSE, wantsHuman }).some(({ reason }) => reason === 'customer_request')
      },
    },
  },
  sensitive: {
    expected: ({ sensitive }) => sensitive,
    consumers: { understanding: ({ text }) => understand(text).sensitiveTopic ?? 'none' },
  },
  questions: {
    expected: ({ questions }) => questions,
    consumers: {
      understanding: ({ text }) => understand(text).subTasks.length,
      router: ({ text }) => plan(text, understand(text)).length,
    },
  },
  sentences: {
    expected: ({ sentences }) => sentences,
    consumers: {
      language: ({ text }) => splitSentences(text).length,
    },
  },
  choice: {
    expected: ({ choice }) => (choice === -1 ? FIVE.length : choice),
    consumers: {
      // The router offers three readings at most, so its list is as long as the choice needs.
      router: ({ text, choice }) => {
        const offered = FIVE.slice(0, Math.max(3, choice ?? 0))
        const chosen = positionIn(plan(text, understand(text), offered)[0]?.question)
        return choice === -1 && chosen === offered.length ? FIVE.length : chosen
      },
      business: ({ text }) => positionIn(FIVE.at(understand(text).orders.choice ?? FIVE.length)),
    },
  },
  products: {
    expected: ({ products }) => products?.toSorted(),
    consumers: { business: (message) => mentionedItems(understand(message.text).orders, orderOf(message)).toSorted() },
  },
  numbers: {
    expected: ({ numbers }) => numbers && keysOf(numbers),
    always: true,
    consumers: {
      understanding: ({ text }) => {
        const { orderNumbers, trackingNumbers } = understand(text).entities
        return keysOf([...orderNumbers, ...trackingNumbers])
      },
      business: ({ text }) => keysOf(understand(text).orders.references.map((reference) => reference.text)),
    },
  },
  amounts: {
    expected: ({ amounts }) => amounts,
    consumers: {
      understanding: ({ text }) =>
        understand(text).entities.amounts.map(({ value, currency }) => ({ value, currency })),
    },
  },
  numerals: {
    expected: ({ numerals }) => numerals,
    consumers: {
      understanding: numeralsBy((numeral) => understand(`${numeral}元`).entities.amounts[0]?.value),
      evidence: numeralsBy((numeral, value) => collectEvidence([numeral]).hasNumber(String(value)) && value),
      quality: numeralsBy((numeral) => findQuantities(`${numeral}元`)[0]?.low),
    },
  },
  // The key of the cache folds less on purpose: what it drops, two questions share an answer without (decision 0112).
  folding: {
    expected: ({ written }) => (written === undefined ? undefined : true),
    consumers: {
      understanding: sameBy(fold),
      search: sameBy((text) => foldCase(normalise(text))),
      wordLists: sameBy((text) => foldForWordLists(text).text),
      evidence: ({ text, written = '' }) => collectEvidence([text]).hasText(written),
      evaluation: sameBy(foldExpected),
    },
  },
}
