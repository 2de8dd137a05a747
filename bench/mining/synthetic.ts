import { PROBLEMS } from './problems.ts'

/** Made-up tickets with known problems: phrasings of one problem in one language, with greetings, small talk and typing errors. */

export interface BenchTicket {
  ticketId: string
  subject: string
  content: string
  solution: string
  status: string
  /** The problem that it is about. */
  problem: string
}

type Language = 'en' | 'zh'

const DETAILS = {
  en: [
    '',
    ' since yesterday',
    ' again',
    ' after the update',
    ' for the second time',
    ' at my mother’s place',
    ' all day',
  ],
  zh: ['', '从昨天开始', '又', '更新以后', '第二次', '在我妈家', '整天'],
}
const GREETINGS = { en: ['Hi, ', 'Hello,\n', 'Good morning, ', ''], zh: ['您好，', '亲，', '在吗？', ''] }
const SMALL_TALK = {
  en: [
    '',
    '',
    '',
    ' I have been a customer for years.',
    ' It has been a long day.',
    ' My colleague recommended you.',
    ' I bought it in {n} weeks before my birthday.',
    ' My model is X{n}.',
  ],
  zh: ['', '', '', '我是老顾客了。', '今天特别忙。', '同事推荐你们家的。', '买了{n}个星期。', '我的型号是 X{n}。'],
}
const CLOSINGS = {
  en: [' Thanks!', '\n\nKind regards,\nEmily Carter', ' Please help asap!!', '', ' (order #W4978877)'],
  zh: ['谢谢！', '\n--\n王晓明', '急！！！', '', '订单号 #W7582395。'],
}
const NOISE = ['test', 'hello, anyone there?', '你好，在吗', 'asdf {n}', 'newsletter {n}', '合作 {n}']
const TYPING_ERRORS = { en: 0.1, zh: 0.03 }
const NOISE_SHARE = 0.03
const SOLVED_SHARE = 0.6

/** Frequencies of problems fall like one over their rank, as they do in real queues. The same tickets for the same numbers. */
export function* syntheticTickets(count: number, random: () => number): Generator<BenchTicket> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const vary = (text: string): string => text.replace('{n}', String(Math.floor(random() * 50) + 2))
  const drawProblem = zipf(PROBLEMS.length, random)

  const ticketOf = (n: number): BenchTicket => {
    const ticketId = `S${n}`
    if (random() < NOISE_SHARE) {
      const content = vary(pick(NOISE))
      return { ticketId, subject: '', content, solution: '', status: 'closed', problem: 'noise' }
    }
    const number = drawProblem()
    const problem = PROBLEMS[number] as (typeof PROBLEMS)[number]
    const language: Language = random() < 0.5 ? 'en' : 'zh'
    const sentence = pick(problem[language]).replace('{x}', pick(DETAILS[language]))
    const stop = language === 'en' ? '.' : '。'
    const body = `${misspell(sentence, language, random)}${stop}${vary(pick(SMALL_TALK[language]))}`
    const isSolved = random() < SOLVED_SHARE
    return {
      ticketId,
      subject: '',
      content: `${pick(GREETINGS[language])}${body}${pick(CLOSINGS[language])}`,
      solution: isSolved ? problem.fix[language] : '',
      status: isSolved ? 'resolved' : 'open',
      problem: `${language} ${number}`,
    }
  }
  for (let n = 0; n < count; n++) yield ticketOf(n)
}

function zipf(count: number, random: () => number): () => number {
  const cumulative: number[] = []
  let total = 0
  for (let rank = 1; rank <= count; rank++) {
    total += 1 / rank
    cumulative.push(total)
  }
  return () => {
    const drawn = random() * total
    return cumulative.findIndex((sum) => sum >= drawn)
  }
}

/** Drops, doubles or swaps characters, as fingers do. */
function misspell(text: string, language: Language, random: () => number): string {
  const separator = language === 'en' ? ' ' : ''
  const words = text.split(separator)
  return words.map((word) => (random() < TYPING_ERRORS[language] ? slip(word, random) : word)).join(separator)
}

function slip(word: string, random: () => number): string {
  const at = Math.floor(random() * word.length)
  const way = random()
  if (way < 0.4) return word.slice(0, at) + word.slice(at + 1)
  if (way < 0.7) return word.slice(0, at + 1) + word.slice(at)
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
}
