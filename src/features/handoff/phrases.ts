import type { HandoffEvent } from '../sessions/index.ts'

/** Notices of changes to the customer; the turn that calls a person says so itself. */
const NOTICES: Record<'zh' | 'en', Record<Exclude<HandoffEvent, 'handoff'>, string>> = {
  zh: {
    accepted: '人工客服已接入，正在为您服务。',
    resolved: '本次人工服务已结束。如果还有其他问题，可以继续问我。',
    returned: '抱歉，人工客服目前都在忙，暂时无法接入。您可以继续问我，或回复“转人工”再次呼叫。',
    cancelled: '已为您取消呼叫人工客服，我会继续为您服务。',
    transferred: '您的会话已转给另一位人工客服，将继续为您服务。',
    released: '当前客服暂时离开，您的会话已优先排队，下一位人工客服会尽快接入。',
    handed_back: '人工客服已离开本次会话，我会继续为您服务。如仍需人工，请回复“转人工”。',
  },
  en: {
    accepted: 'A colleague has joined and is here to help you.',
    resolved: 'Our colleague has closed this conversation. If there is anything else, just ask me.',
    returned:
      'Sorry, all of our colleagues are busy and nobody could take over. You can go on with me, or say "talk to a person" to call again.',
    cancelled: 'I have cancelled the request for a colleague and will go on helping you.',
    transferred: 'Another colleague goes on with this conversation.',
    released: 'Our colleague had to leave. You are among the first in line for the next one.',
    handed_back:
      'Our colleague has left this conversation, and I will go on helping you. Say "talk to a person" to call again.',
  },
}

export function handoffNotice(event: Exclude<HandoffEvent, 'handoff'>, language: 'zh' | 'en'): string {
  return NOTICES[language][event]
}
