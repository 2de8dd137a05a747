/** Words for customers who call a person outside the hours. */
const CLOSED = {
  zh: '已为您转交人工客服。现在不在服务时间，同事{back}上班后会看到前面的对话并回复您，您可以继续补充。',
  en: 'I have passed this on to a colleague. We are outside working hours: people are back {back} and will read everything said so far. You can go on writing here.',
} as const
const SOON = { zh: '', en: 'later' } as const

/** @param back when people are back; null: nobody knows */
export function closedText(
  language: 'zh' | 'en',
  { message, back, timezone }: { message: string; back: Date | null; timezone: string },
): string {
  const when = back === null ? SOON[language] : momentText(language, back, timezone)
  return (message === '' ? CLOSED[language] : message).replaceAll('{back}', when)
}

/** `on Monday, 5 January, 09:00` · `1月5日星期一 09:00` */
function momentText(language: 'zh' | 'en', moment: Date, timezone: string): string {
  const day = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: timezone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(moment)
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' }).format(
    moment,
  )
  return language === 'zh' ? `${day} ${time}` : `on ${day}, ${time}`
}
