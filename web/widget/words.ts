export type Language = 'zh' | 'en'

const WORDS = {
  en: {
    open: 'Open the chat',
    close: 'Close the chat',
    title: 'Help',
    placeholder: 'Write your question …',
    send: 'Send',
    attach: 'Send a file',
    assistant: 'Assistant',
    team: 'Team',
    you: 'You',
    sources: 'Sources',
    openSource: 'Open',
    good: 'That helped',
    bad: 'That did not help',
    person: 'Talk to a person',
    stopWaiting: 'Go on with the assistant',
    place: 'A person has been called. Your place: {n}',
    waiting: 'A person has been called',
    closed: 'Nobody is here right now.',
    backAt: 'Back {time}.',
    leave: 'Leave a message',
    leaveText: 'We answer by mail.',
    email: 'Your mail address',
    message: 'Your message',
    leaveSend: 'Leave it',
    left: 'We have your message.',
    typing: '{name} is writing …',
    notSent: 'Not sent',
    notAnswered: 'No answer came',
    retry: 'Send again',
    offline: 'No connection. It goes on by itself.',
    unknown: 'We do not know any more who you are. Please log in to the shop again, or reload the page.',
    failed: 'That did not work. Please try again.',
    limited: 'That was a lot. Please wait a moment.',
    rate: 'How was it?',
    stars: '{n} of 5',
    thanks: 'Thank you!',
    unread: '({n}) ',
    tooLarge: 'The file is too large: at most {n} MB.',
    log: 'Conversation',
    joined: 'A colleague has joined.',
    writing: 'Answering …',
  },
  zh: {
    open: '打开在线客服',
    close: '关闭在线客服',
    title: '在线客服',
    placeholder: '请输入您的问题…',
    send: '发送',
    attach: '发送文件',
    assistant: '智能助手',
    team: '客服',
    you: '我',
    sources: '来源',
    openSource: '打开',
    good: '有帮助',
    bad: '没有帮助',
    person: '转人工',
    stopWaiting: '继续由助手回答',
    place: '已为您呼叫人工，当前排在第 {n} 位',
    waiting: '已为您呼叫人工',
    closed: '现在没有人工在线。',
    backAt: '{time} 恢复服务。',
    leave: '留言',
    leaveText: '我们会通过邮件回复您。',
    email: '您的邮箱',
    message: '留言内容',
    leaveSend: '提交留言',
    left: '我们已收到您的留言。',
    typing: '{name}正在输入…',
    notSent: '未发送',
    notAnswered: '未能回答',
    retry: '重新发送',
    offline: '网络已断开，恢复后会自动继续。',
    unknown: '您的登录信息已失效，请重新登录商店或刷新页面。',
    failed: '操作未成功，请重试。',
    limited: '发送过于频繁，请稍候。',
    rate: '本次服务如何？',
    stars: '{n} / 5',
    thanks: '谢谢！',
    unread: '({n}) ',
    tooLarge: '文件过大，最多 {n} MB。',
    log: '对话',
    joined: '人工客服已接入。',
    writing: '正在回答…',
  },
} as const

export type Word = keyof (typeof WORDS)['en']

/** Texts in the language of the page, or of the browser, among those that the shop offers. */
export function wordsIn(language: Language): (word: Word, values?: Record<string, string | number>) => string {
  return (word, values = {}) =>
    WORDS[language][word].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

export function chooseLanguage(offered: readonly Language[]): Language {
  const wanted = [document.documentElement.lang, ...navigator.languages]
  for (const tag of wanted) {
    const language = /^zh/i.test(tag) ? 'zh' : /^en/i.test(tag) ? 'en' : undefined
    if (language && offered.includes(language)) return language
  }
  return offered.includes('en') ? 'en' : (offered[0] ?? 'en')
}
