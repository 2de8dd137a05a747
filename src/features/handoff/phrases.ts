import type { HandoffEvent } from './types.ts'

/** Notices of changes to the customer; the turn that calls a person says so itself. */
const NOTICES: Record<'zh' | 'en', Record<Exclude<HandoffEvent, 'handoff'>, string>> = {
  zh: {
    accepted: '人工客服已接入，正在为您服务。',
    resolved: '本次人工服务已结束。如果还有其他问题，可以继续问我。',
    returned: '抱歉，人工客服目前都在忙，暂时无法接入。您可以继续问我，或回复“转人工”再次呼叫。',
    cancelled: '已为您取消呼叫人工客服，我会继续为您服务。',
  },
  en: {
    accepted: 'A colleague has joined and is here to help you.',
    resolved: 'Our colleague has closed this conversation. If there is anything else, just ask me.',
    returned:
      'Sorry, all of our colleagues are busy and nobody could take over. You can go on with me, or say "talk to a person" to call again.',
    cancelled: 'I have cancelled the request for a colleague and will go on helping you.',
  },
}

export function handoffNotice(event: Exclude<HandoffEvent, 'handoff'>, language: 'zh' | 'en'): string {
  return NOTICES[language][event]
}
