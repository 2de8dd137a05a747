import { dictionary } from '../../shared/words.ts'
import type { Tone } from './tone.ts'

/** Names for the values of the API that stand on more than one screen. */
export const nameOf = {
  channel: dictionary(
    { web: 'Web', app: 'App', wechat: 'WeChat', dingtalk: 'DingTalk', api: 'API', email: 'Mail' },
    { web: '网页', app: 'App', wechat: '微信', dingtalk: '钉钉', api: '接口', email: '邮件' },
  ),
  status: dictionary(
    { none: 'Assistant', pending: 'Waiting', assigned: 'With a person', resolved: 'Resolved' },
    { none: '智能助手', pending: '等待人工', assigned: '人工处理中', resolved: '已解决' },
  ),
  priority: dictionary(
    { low: 'Low', medium: 'Normal', high: 'High', urgent: 'Urgent' },
    { low: '低', medium: '普通', high: '高', urgent: '紧急' },
  ),
  role: dictionary(
    { agent: 'Agent', editor: 'Editor', admin: 'Admin' },
    { agent: '客服', editor: '知识编辑', admin: '管理员' },
  ),
  intent: dictionary(
    {
      faq: 'General question',
      product: 'Product',
      order: 'Order',
      logistics: 'Delivery',
      refund: 'Refund',
      account: 'Account',
      technical: 'Technical',
      complaint: 'Complaint',
      human: 'Wants a person',
      chitchat: 'Small talk',
      unknown: 'Unknown',
    },
    {
      faq: '常见问题',
      product: '商品',
      order: '订单',
      logistics: '物流',
      refund: '退款',
      account: '账户',
      technical: '技术问题',
      complaint: '投诉',
      human: '要求人工',
      chitchat: '闲聊',
      unknown: '未知',
    },
  ),
  reason: dictionary(
    {
      customer_request: 'The customer asked for a person',
      missing_knowledge: 'The knowledge base has no answer',
      repeated_failure: 'Several answers did not help',
      negative_emotion: 'The customer is upset',
      sensitive_topic: 'A sensitive topic',
      policy_restriction: 'Only people may do this',
      tool_failure: 'A system of the shop did not answer',
      taken: 'Somebody took it over',
    },
    {
      customer_request: '客户要求转人工',
      missing_knowledge: '知识库没有答案',
      repeated_failure: '多次回答未解决',
      negative_emotion: '客户情绪不佳',
      sensitive_topic: '涉及敏感话题',
      policy_restriction: '只能由人工处理',
      tool_failure: '业务系统无响应',
      taken: '人工主动接管',
    },
  ),
}

export const toneOf = {
  status: { none: 'machine', pending: 'warn', assigned: 'accent', resolved: 'good' } satisfies Record<string, Tone>,
  priority: { low: 'plain', medium: 'plain', high: 'warn', urgent: 'bad' } satisfies Record<string, Tone>,
}
