export type Language = 'zh' | 'en'

/** English and Chinese. */
const WORDS = {
  open: ['Open the chat', '打开在线客服'],
  close: ['Close the chat', '关闭在线客服'],
  title: ['Help', '在线客服'],
  placeholder: ['Write your question …', '请输入您的问题…'],
  greeting: ['Hello! How can I help you?', '您好！请问有什么可以帮您？'],
  send: ['Send', '发送'],
  attach: ['Send a file', '发送文件'],
  assistant: ['Assistant', '智能助手'],
  team: ['Team', '客服'],
  you: ['You', '我'],
  sources: ['Sources', '来源'],
  openSource: ['Open', '打开'],
  good: ['That helped', '有帮助'],
  bad: ['That did not help', '没有帮助'],
  person: ['Talk to a person', '转人工'],
  stopWaiting: ['Go on with the assistant', '继续由助手回答'],
  place: ['. Your place: {n}', '，当前排在第 {n} 位'],
  waiting: ['A person has been called', '已为您呼叫人工'],
  closed: ['Nobody is here right now.', '现在没有人工在线。'],
  backAt: ['Back {time}.', '{time} 恢复服务。'],
  leave: ['Leave a message', '留言'],
  leaveText: ['We answer by mail.', '我们会通过邮件回复您。'],
  email: ['Your mail address', '您的邮箱'],
  message: ['Your message', '留言内容'],
  leaveSend: ['Leave it', '提交留言'],
  cancel: ['Cancel', '取消'],
  left: ['We have your message.', '我们已收到您的留言。'],
  typing: ['{name} is writing …', '{name}正在输入…'],
  sending: ['Sending …', '发送中…'],
  notSent: ['Not sent', '未发送'],
  notAnswered: ['No answer came', '未能回答'],
  retry: ['Send again', '重新发送'],
  offline: ['No connection. It goes on by itself.', '网络已断开，恢复后会自动继续。'],
  unknown: ['We do not know any more who you are. Please log in again.', '您的登录信息已失效，请重新登录。'],
  failed: ['That did not work. Please try again.', '操作未成功，请重试。'],
  limited: ['That was a lot. Please wait a moment.', '发送过于频繁，请稍候。'],
  rate: ['How was it?', '本次服务如何？'],
  stars: ['{n} of 5', '{n} / 5'],
  thanks: ['Thank you!', '谢谢！'],
  tooLarge: ['The file is too large: at most {n} MB.', '文件过大，最多 {n} MB。'],
  log: ['Conversation', '对话'],
  writing: ['Answering …', '正在回答…'],
} as const

export type Word = keyof typeof WORDS

/** Texts in the language of the page, or of the browser, among those that the shop offers. */
export function wordsIn(language: Language): (word: Word, values?: Record<string, string | number>) => string {
  return (word, values = {}) =>
    WORDS[word][language === 'zh' ? 1 : 0].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

export function chooseLanguage(offered: readonly Language[]): Language {
  const wanted = [document.documentElement.lang, ...navigator.languages]
  for (const tag of wanted) {
    const language = /^zh/i.test(tag) ? 'zh' : /^en/i.test(tag) ? 'en' : undefined
    if (language && offered.includes(language)) return language
  }
  return offered.includes('en') ? 'en' : (offered[0] ?? 'en')
}
