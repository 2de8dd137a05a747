import { ESCALATION_REASONS, PRIORITIES } from '../sessions/index.ts'

export type Priority = (typeof PRIORITIES)[number]

/** They stand with the card's schema, with which the chat answers, too. */
export { ESCALATION_REASONS, PRIORITIES }
export type EscalationReason = (typeof ESCALATION_REASONS)[number]

/** Topics that a person must handle; `refund_limit` is a refund above what the assistant may promise. */
export type SensitiveTopic = 'legal' | 'safety' | 'privacy' | 'fraud' | 'refund_limit'

/** One condition that holds, with the values that its explanation needs. */
export type Trigger =
  | { reason: 'sensitive_topic'; topic: Exclude<SensitiveTopic, 'refund_limit'> }
  | { reason: 'customer_request' }
  /** A person stepped in by themselves. */
  | { reason: 'taken'; by: string }
  | { reason: 'negative_emotion'; score: number; threshold: number }
  | { reason: 'policy_restriction'; restriction: string | null }
  | { reason: 'tool_failure'; system: string }
  | { reason: 'missing_knowledge' | 'repeated_failure'; failures: number; threshold: number }

const TOPICS = {
  zh: { legal: '法律纠纷', safety: '人身或产品安全', privacy: '个人信息与隐私', fraud: '欺诈或盗用' },
  en: {
    legal: 'legal dispute',
    safety: 'personal or product safety',
    privacy: 'personal data and privacy',
    fraud: 'fraud or theft',
  },
}

/** One sentence that says why a trigger holds, with the values and thresholds that made it hold. */
export function describeTrigger(trigger: Trigger, language: 'zh' | 'en' | 'other'): string {
  return language === 'zh' ? inChinese(trigger) : inEnglish(trigger)
}

function inChinese(trigger: Trigger): string {
  switch (trigger.reason) {
    case 'customer_request':
      return '客户要求转接人工'
    case 'taken':
      return trigger.by === '' ? '人工主动接手' : `${trigger.by} 主动接手`
    case 'sensitive_topic':
      return `涉及必须由人工处理的话题：${TOPICS.zh[trigger.topic]}`
    case 'negative_emotion':
      return `客户情绪激动：情绪分 ${score(trigger.score)}，阈值 ${score(trigger.threshold)}`
    case 'policy_restriction':
      return `超出助手的处理权限：${trigger.restriction ?? '退款金额超过上限'}`
    case 'tool_failure':
      return `处理该请求所需的业务系统不可用：${trigger.system}`
    case 'missing_knowledge':
      return `连续 ${trigger.failures} 轮没有可靠的回答（阈值 ${trigger.threshold} 轮），知识库中没有相关内容`
    case 'repeated_failure':
      return `连续 ${trigger.failures} 轮没有可靠的回答（阈值 ${trigger.threshold} 轮），找到的内容不足以作答`
  }
}

function inEnglish(trigger: Trigger): string {
  switch (trigger.reason) {
    case 'customer_request':
      return 'The customer asked for a person.'
    case 'taken':
      return trigger.by === '' ? 'A person took it over.' : `${trigger.by} took it over.`
    case 'sensitive_topic':
      return `The topic needs a person: ${TOPICS.en[trigger.topic]}.`
    case 'negative_emotion':
      return `The customer is upset: emotion score ${score(trigger.score)}, threshold ${score(trigger.threshold)}.`
    case 'policy_restriction':
      return `The assistant may not decide this: ${trigger.restriction ?? 'a refund above the limit'}.`
    case 'tool_failure':
      return `A business system that the request needs is not available: ${trigger.system}.`
    case 'missing_knowledge':
      return `${turns(trigger)}; the knowledge base has nothing on it.`
    case 'repeated_failure':
      return `${turns(trigger)}; what was found is not enough to answer.`
  }
}

function turns({ failures, threshold }: { failures: number; threshold: number }): string {
  const count = failures === 1 ? '1 turn' : `${failures} turns running`
  return `No confident answer in ${count} (threshold ${threshold})`
}

function score(value: number): string {
  return value.toFixed(2)
}
