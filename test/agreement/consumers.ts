import { detectLanguage } from '../../src/ai/analysis/language.ts'
import { foldCase, normalise } from '../../src/ai/analysis/normalise.ts'
import { splitSentences as analysedSentences } from '../../src/ai/analysis/sentences.ts'
import { readAnswer, readChoice } from '../../src/business/answers.ts'
import { mentionedItems } from '../../src/business/lookup.ts'
import { findReferences } from '../../src/business/references.ts'
import { detectScene } from '../../src/business/scenes.ts'
import { type Order, orderKey } from '../../src/business/types.ts'
import { planTasks } from '../../src/features/chat/agents/router.ts'
import { chineseValue, collectEvidence } from '../../src/features/chat/compose/evidence.ts'
import { loadUnderstand } from '../../src/features/chat/understanding/load.ts'
import { parseChineseNumber } from '../../src/features/chat/understanding/numbers.ts'
import { fold } from '../../src/features/chat/understanding/text.ts'
import { rewriteFollowUp, type Understanding } from '../../src/features/chat/understanding/understanding.ts'
import { splitSentences as cardSentences } from '../../src/features/escalation/sentences.ts'
import { holdingTriggers } from '../../src/features/escalation/triggers.ts'
import { foldText as foldExpected } from '../../src/features/evaluation/targets.ts'
import { languageOf as documentLanguage } from '../../src/features/knowledge/formats/language.ts'
import { foldText as foldForWordLists } from '../../src/features/knowledge/quality/folding.ts'
import { parseNumber as parseQuantity } from '../../src/features/knowledge/quality/numerals.ts'
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
  return planTasks({ message, understanding, context: { clarifying }, rewriteFollowUp })
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
function numeralsBy(read: (numeral: string) => number): Consumer {
  return ({ numerals = {} }) => Object.fromEntries(Object.keys(numerals).map((numeral) => [numeral, read(numeral)]))
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
      understanding: ({ text }) => understand(text).scene,
      business: ({ text }) => detectScene(text),
    },
  },
  consent: {
    expected: ({ consent }) => consent,
    always: true,
    consumers: {
      understanding: ({ text }) => understand(text).confirmation ?? 'none',
      business: ({ text }) => readAnswer(text).replace(/^(?:doubtful|other)$/, 'none'),
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
      analysis: ({ text }) => analysedSentences(text).length,
      card: ({ text }) => cardSentences(text).length,
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
      business: ({ text }) => positionIn(readChoice(text, FIVE)),
    },
  },
  products: {
    expected: ({ products }) => products?.toSorted(),
    consumers: { business: (message) => mentionedItems(message.text, orderOf(message)).toSorted() },
  },
  numbers: {
    expected: ({ numbers }) => numbers && keysOf(numbers),
    always: true,
    consumers: {
      understanding: ({ text }) => {
        const { orderNumbers, trackingNumbers } = understand(text).entities
        return keysOf([...orderNumbers, ...trackingNumbers])
      },
      business: ({ text }) => keysOf(findReferences(text).map((reference) => reference.text)),
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
      understanding: numeralsBy(parseChineseNumber),
      evidence: numeralsBy(chineseValue),
      quality: numeralsBy(parseQuantity),
    },
  },
  // The key of the cache folds less on purpose: what it drops, two questions share an answer without (decision 0112).
  folding: {
    expected: ({ written }) => (written === undefined ? undefined : true),
    consumers: {
      understanding: sameBy(fold),
      search: sameBy((text) => foldCase(normalise(text))),
      wordLists: sameBy((text) => String.fromCharCode(...foldForWordLists(text).units)),
      evidence: ({ text, written = '' }) => collectEvidence([text]).hasText(written),
      evaluation: sameBy(foldExpected),
    },
  },
}
