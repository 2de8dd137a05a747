import type { NeutralMessage } from './channel.ts'

/** A channel's own words, where there is nothing that the assistant could answer. */
interface ChannelPhrases {
  /** To a picture, a video or an unreadable voice message. */
  needsWords: string
  /** To somebody who begins to follow the account. */
  welcome: string
  failed: string
  /** Before the names of files that were not taken, for the person who helps. */
  notTaken: string
  tooLarge: string
  /** How the person who helps sees what cannot be shown as text. */
  media: Record<NeutralMessage['type'], string>
}

const zh: ChannelPhrases = {
  needsWords: '抱歉，我暂时看不了图片、视频或听不清语音，请用文字描述您的问题，或回复“转人工”。',
  welcome: '您好，欢迎关注！我是智能客服，有问题可以直接发给我，需要人工时请回复“转人工”。',
  failed: '抱歉，刚才没能处理您的消息，请稍后再试。',
  notTaken: '[未接收的附件]',
  tooLarge: '[邮件过大，未接收附件]',
  media: { text: '', image: '[图片]', voice: '[语音]', event: '' },
}

const en: ChannelPhrases = {
  needsWords:
    'Sorry, I cannot look at pictures or videos, or make out this voice message. Please tell me in words, or say "talk to a person".',
  welcome: 'Hello and welcome! I am the virtual assistant: just send me your question, or say "talk to a person".',
  failed: 'Sorry, your message could not be handled just now. Please try again in a moment.',
  notTaken: '[Files that were not taken]',
  tooLarge: '[The mail is too large: its files were not taken]',
  media: { text: '', image: '[picture]', voice: '[voice message]', event: '' },
}

export function channelPhrases(language: 'zh' | 'en'): ChannelPhrases {
  return language === 'zh' ? zh : en
}
