import { excerpt } from '../../language/key-sentences.ts'
import type { EscalationReason } from './reasons.ts'

/** A passage of the knowledge base that may answer the open question, best first found by the caller. */
export type CardPassage = { content: string; source: string }

const MAX_QUOTE = 80
const MAX_PASSAGE = 400

/** First words by reason: they differ with what went wrong so far. */
const OPENINGS: Record<'zh' | 'en', Record<EscalationReason, string>> = {
  zh: {
    customer_request: '接下来由我为您处理。',
    taken: '接下来由我为您处理。',
    missing_knowledge: '抱歉刚才没能给您准确的答复，接下来由我为您核实。',
    repeated_failure: '抱歉刚才没能给您准确的答复，接下来由我为您核实。',
    negative_emotion: '非常抱歉给您带来了不好的体验，接下来由我全程为您处理。',
    sensitive_topic: '这件事我们非常重视，接下来由我全程跟进。',
    policy_restriction: '您的申请需要人工审核，接下来由我为您处理。',
    tool_failure: '抱歉刚才系统没能查到结果，我马上为您人工核实。',
  },
  en: {
    customer_request: 'I will take it from here.',
    taken: 'I will take it from here.',
    missing_knowledge: 'I am sorry that you did not get a clear answer so far; I am looking into it now.',
    repeated_failure: 'I am sorry that you did not get a clear answer so far; I am looking into it now.',
    negative_emotion: 'I am very sorry for the trouble this has caused, and I will stay with it until it is settled.',
    sensitive_topic: 'We take this very seriously, and I will stay with it until it is settled.',
    policy_restriction: 'Your request needs a review by a person, and I am taking care of it.',
    tool_failure: 'I am sorry that our system could not find it; I am checking by hand now.',
  },
}

/**
 * A first reply for the agent to edit. It restates the request, and promises nothing but what `passage`, quoted with its source,
 * says.
 */
export function suggestReply(
  about: { language: 'zh' | 'en' | 'other'; reason: EscalationReason; customerRequest: string },
  passage: CardPassage | null,
): string {
  const language = about.language === 'zh' ? 'zh' : 'en'
  const lines = [
    greeting(language, excerpt(about.customerRequest, MAX_QUOTE)),
    OPENINGS[language][about.reason],
    passage ? quote(language, passage) : '',
  ]
  return lines.filter((line) => line !== '').join(language === 'zh' ? '' : ' ')
}

function greeting(language: 'zh' | 'en', request: string): string {
  if (language === 'zh') return request ? `您好，我是人工客服，已了解您的问题：“${request}”。` : '您好，我是人工客服。'
  const hello = 'Hello, this is a member of our support team.'
  return request ? `${hello} I have read your request: "${request}".` : hello
}

function quote(language: 'zh' | 'en', { content, source }: CardPassage): string {
  const text = excerpt(content, MAX_PASSAGE)
  return language === 'zh' ? `根据《${source}》：${text}` : `According to ${source}: ${text}`
}
