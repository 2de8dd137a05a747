import type { ChitchatKind } from '../../../language/understanding.ts'
import type { AssistantSettings } from '../../settings/index.ts'

/** Words of the assistant about itself; everything else in its replies comes from the knowledge base. */
export interface Phrases {
  chitchat: Record<ChitchatKind, string>
  notFound: string
  notFoundAgain: string
  otherLanguage: string
  /** Before a passage that may not be the answer. */
  closest: string
  /** Before anything else, to somebody who is upset. */
  sorry: string
  /** Behind an answer to somebody who is upset, while nobody was called. */
  offerPerson: string
  /** The same, before several, which are numbered. */
  closestOf: string
  /** Leads the choices: after the closest passage, and where there is none. */
  alsoNear: string
  choose: string
  /** Said where an answer goes on. */
  more: string
  source: string
  /** Names an answer of a person as a source. */
  supportAnswer: string
  /** The first of several parts could be answered, this one could not. */
  partNotFound: string
  /** In the place of an answer that an earlier part has had. */
  sameAs(part: number): string
  /** Asks back when two readings are equally likely. */
  clarify(readings: readonly string[]): string
  assigned: string
  failed: string
  tooMany: string
  /** A person was called. */
  handoff: string
  /** Said with later answers while the customer waits for a person. */
  waiting: string
  /** A person took over while the assistant was writing. */
  takenOver: string
  /** Some figures of a model's reply stand in no passage and were left out. */
  unverified: string
}

const zh: Phrases = {
  chitchat: {
    greeting: '您好！我是智能客服，请问有什么可以帮您？',
    thanks: '不客气！如果还有其他问题，随时可以问我。',
    goodbye: '感谢您的咨询，再见！',
    identity: '我是智能客服助手，根据知识库里的资料回答问题。需要人工客服时，告诉我“转人工”即可。',
    acknowledgement: '好的。还有什么可以帮您的吗？',
    apology: '没关系。请问有什么可以帮您？',
    small_talk: '我主要负责解答产品和服务方面的问题，请问有什么可以帮您？',
  },
  notFound:
    '抱歉，我在知识库里没有找到这个问题的答案。您可以换一种说法再问一次，或者回复“转人工”，由人工客服为您解答。',
  notFoundAgain: '抱歉，我还是没有找到答案。回复“转人工”，人工客服会接着为您处理。',
  otherLanguage: '我找到的资料是另一种语言的，原文如下：',
  closest: '最接近的资料：',
  sorry: '非常抱歉给您带来不便。',
  offerPerson: '如果您希望由人工处理，回复“转人工”即可。',
  closestOf: '最接近的资料（回复编号看更多）：',
  alsoNear: '回复编号查看：',
  choose: '抱歉，我没有找到可以直接回答的内容，最接近的资料见下，回复编号或标题即可查看：',
  more: '（还有后续内容，回复“继续”查看。）',
  source: '来源：',
  supportAnswer: '人工客服的解答',
  partNotFound: '抱歉，这一点我在知识库里没有找到答案。',
  sameAs: (part) => `见第 ${part} 点的回答。`,
  clarify: (readings) => `请问您想问的是哪一个？\n${readings.map((reading, i) => `${i + 1}. ${reading}`).join('\n')}`,
  assigned: '您的消息已转给人工客服，请稍候。',
  failed: '抱歉，这一部分暂时无法处理，请稍后再试。',
  tooMany: '一次的问题有点多，这一条请稍后单独问我。',
  handoff: '已为您呼叫人工客服，请稍候，同事会带着前面的对话记录为您处理。',
  waiting: '人工客服已在呼叫中，请稍候。',
  takenOver: '人工客服已接入，由同事继续为您服务。',
  unverified: '（部分内容无法在资料中核实，已略去。）',
}

const en: Phrases = {
  chitchat: {
    greeting: 'Hello! I am the virtual assistant. How can I help you?',
    thanks: "You're welcome! Just ask if there is anything else.",
    goodbye: 'Thank you for contacting us. Goodbye!',
    identity:
      'I am a virtual assistant and answer from our knowledge base. Say "talk to a person" whenever you want one of my colleagues.',
    acknowledgement: 'All right. Is there anything else I can help with?',
    apology: 'No problem at all. How can I help you?',
    small_talk: 'I am here for questions about our products and services. What can I help you with?',
  },
  notFound:
    'Sorry, I could not find this in our knowledge base. You could put the question another way, or say "talk to a person" and a colleague will help you.',
  notFoundAgain:
    'Sorry, I still could not find an answer. Say "talk to a person" and a colleague will take it from here.',
  otherLanguage: 'What I found is in another language; this is the original text:',
  closest: 'The closest I have:',
  sorry: 'I am sorry for the trouble.',
  offerPerson: 'If you would rather speak to a person, just say so.',
  closestOf: 'The closest I have:',
  alsoNear: 'More, by number:',
  choose: 'Sorry, I could not find a sure answer to this. The closest I have is below; reply with a number or title:',
  more: '(There is more: reply "more" to read on.)',
  source: 'Source: ',
  supportAnswer: 'Answer of our support team',
  partNotFound: 'Sorry, I could not find an answer to this part in our knowledge base.',
  sameAs: (part) => `See the answer to ${part}.`,
  clarify: (readings) =>
    `Which of these do you mean?\n${readings.map((reading, i) => `${i + 1}. ${reading}`).join('\n')}`,
  assigned: 'Your message has been passed on to our colleague; please wait a moment.',
  failed: 'Sorry, this part cannot be handled at the moment. Please try again later.',
  tooMany: 'That was a lot at once; please ask this one again by itself.',
  handoff: 'I have called a colleague, who will take over with everything said so far. Please wait a moment.',
  waiting: 'A colleague has been called; please wait a moment.',
  takenOver: 'A colleague has joined and will continue from here.',
  unverified: '(Some details could not be verified in our documents and were left out.)',
}

/** Words of small talk, as the shop wants to have them said. */
export function talkFor(language: string, kind: ChitchatKind, assistant: AssistantSettings): string {
  const usual = phrasesFor(language).chitchat[kind]
  const { name } = assistant
  if (kind === 'greeting') {
    const own = language === 'zh' ? assistant.greetingZh : assistant.greetingEn
    return own || (name === '' ? usual : named(usual, name))
  }
  return kind === 'identity' && name !== '' ? named(usual, name) : usual
}

/** Says the name before what it is: "I am Mia, the virtual assistant." */
function named(words: string, name: string): string {
  return words.replace(/我是(?=智能客服)/, `我是${name}，`).replace(/\bI am (?=the|a\b)/, `I am ${name}, `)
}

export function phrasesFor(language: string): Phrases {
  return language === 'zh' ? zh : en
}
