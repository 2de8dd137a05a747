import { describe, expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { humanRequestOf } from './human-request.ts'

describe('humanRequestOf', () => {
  it.each([
    'I want to speak to a manager now',
    'customer service please',
    'Please transfer me to a real person',
    'My order is late. Get me a human!',
    'AGENT!!!',
    'I want a human, not a bot',
    "I don't want to talk to a robot",
    'Could someone from your team call me?',
    '转人工！',
    '給我轉人工客服',
    '我要和真人說話',
    '怎么转人工',
    '能不能找个人来处理一下',
    '叫你们经理出来',
    '不要机器人',
    '请让主管联系我',
    '你们是骗子，给我转人工',
    'this is a scam, get me a human',
  ])('%s asks for a person', (text) => {
    expect(humanRequestOf(fold(text))).toBe('asked')
  })

  it.each([
    'customer service hours?',
    'When is customer service available?',
    'I spoke to an agent yesterday and he promised a refund',
    'I do not want to talk to a human',
    'Are you a real person?',
    'Do you sell human hair wigs?',
    'Can someone tell me where my order is?',
    'the delivery agent was late',
    'Your manager was rude',
    'Is this for one person or two people?',
    'I want a present for a colleague who likes coffee',
    'The item arrived damaged, I want a replacement',
    '客服几点上班',
    '人工客服的工作时间',
    '不用转人工了',
    '这个草坪是人工草吗',
    '人工智能音箱有货吗',
    '我找过客服了没人理',
    '客服电话多少',
    '客服说今天到',
    '你是真人吗',
    '有人吗',
  ])('%s does not', (text) => {
    expect(humanRequestOf(fold(text))).not.toBe('asked')
  })

  it('judges each sentence by itself', () => {
    expect(humanRequestOf('when is customer service open? i want to talk to a person')).toBe('asked')
  })
})

it.each([
  '有人自称你们客服让我转账',
  '有人说是你们客服，要我的验证码',
  '接到冒充客服的电话',
  'someone claiming to be your agent wants me to pay',
  'a man said he is from customer service and asked for my code',
])('%s tells of somebody who poses as a person of the shop, and asks for none', (text) => {
  expect(humanRequestOf(fold(text))).toBe('excluded')
})
