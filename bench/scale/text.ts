import { dict } from '@node-rs/jieba/dict.js'

/**
 * Text whose word frequencies are those of help centres: a word of a query stands in 23 % of the passages on average (18
 * to 35 % in the three collections that it was fitted to), 500 passages hold 5,900 distinct words. The same at each run.
 */
export interface SyntheticText {
  /** A Markdown document of `sections` sections. */
  document(number: number, sections: number): SyntheticDocument
}

export interface SyntheticDocument {
  language: 'zh' | 'en'
  markdown: string
  sections: { heading: string; text: string; words: string[] }[]
}

interface Language {
  name: 'zh' | 'en'
  words: string[]
  /** Running sums of the words' frequencies. */
  sums: number[]
  sentence(words: string[]): string
  wordsPerSection: number
}

const VOCABULARY = 20_000
/** Zipf and Mandelbrot: the r-th word is as frequent as 1 / (r + SHIFT)^EXPONENT. */
const SHIFT = 8
const EXPONENT = 1.2
/** About 80 tokens a section: a Chinese word is 1.6 characters and a character is about a token. */
const WORDS_PER_SECTION = { zh: 55, en: 62 }
const SENTENCE_WORDS = 14
const FOREIGN_SHARE = 0.04

export type TextLanguage = 'zh' | 'en' | 'both'

/** @param written in what the documents are; `both`: every other one in Chinese. */
export function createText(written: TextLanguage = 'both'): SyntheticText {
  const [zh, en] = [chinese(), english()]
  return {
    document(number, count) {
      const random = generator(number + 1)
      const isChinese = written === 'both' ? number % 2 === 0 : written === 'zh'
      const language = isChinese ? zh : en
      const foreign = en
      const word = (): string => draw(random() < FOREIGN_SHARE ? foreign : language, random)
      const sections = Array.from({ length: count }, () => section(language, word))
      const title = language.sentence(Array.from({ length: 3 }, word))
      const body = sections.map(({ heading, text }) => `## ${heading}\n\n${text}\n`)
      return { language: language.name, sections, markdown: `# ${title}\n\n${body.join('\n')}` }
    },
  }
}

function section(language: Language, word: () => string): SyntheticDocument['sections'][number] {
  const words = Array.from({ length: language.wordsPerSection }, word)
  const sentences = []
  for (let start = 0; start < words.length; start += SENTENCE_WORDS) {
    sentences.push(language.sentence(words.slice(start, start + SENTENCE_WORDS)))
  }
  const separator = language.name === 'zh' ? '' : ' '
  const heading = Array.from({ length: 3 }, word).join(separator)
  return { heading, text: sentences.join(separator), words }
}

/** Words of a segmenter's dictionary, the most frequent first. */
function chinese(): Language {
  const words = dict
    .toString()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([word]) => /^\p{Script=Han}{1,4}$/u.test(word ?? ''))
    .sort(([, a], [, b]) => Number(b) - Number(a))
    .map(([word]) => word ?? '')
  return language('zh', words.slice(0, VOCABULARY), (sentence) => `${sentence.join('')}。`)
}

/** Function words first, then invented words. */
function english(): Language {
  const functionWords =
    'the of and to a in is that it for was on are as with they at be this from have or by not but what all were when your can'
  const random = generator(0)
  const words = new Set(functionWords.split(' '))
  while (words.size < VOCABULARY) words.add(inventWord(random))
  return language('en', [...words], (sentence) => `${sentence.join(' ')}.`)
}

function language(name: Language['name'], words: string[], sentence: Language['sentence']): Language {
  const frequencies = words.map((_, rank) => 1 / (rank + SHIFT) ** EXPONENT)
  return { name, words, sums: runningSums(frequencies), sentence, wordsPerSection: WORDS_PER_SECTION[name] }
}

const ONSETS = 'b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh st t tr v w z'.split(' ')
const VOWELS = 'a e i o u ai ea oo'.split(' ')
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'm', 'ck', 'l']

function inventWord(random: () => number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  const syllables = 1 + Math.floor(random() * 3)
  return Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join('')
}

/** `count` words of a section as they stand there, function words included: that is how people ask. */
export function queryFrom({ language, sections }: SyntheticDocument, section: number, count: number): string {
  const words = sections[section]?.words ?? []
  const start = (section * 11) % Math.max(1, words.length - count)
  return words.slice(start, start + count).join(language === 'zh' ? '' : ' ')
}

function runningSums(values: readonly number[]): number[] {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}

function draw({ words, sums }: Language, random: () => number): string {
  const target = random() * (sums.at(-1) ?? 0)
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) < target) low = middle + 1
    else high = middle
  }
  return words[low] ?? ''
}

/** Mulberry32 (Tommy Ettinger, public domain): small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
