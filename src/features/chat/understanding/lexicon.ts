import { fold, isHan } from '../../../language/fold.ts'
import { stem } from '../../../language/words/stem.ts'

/** Groups of terms that mean the same to a shop: name, terms in Chinese and English. */
export type ConceptList = readonly { name: string; terms: readonly string[] }[]

const MAX_PHRASE_WORDS = 4
const MAX_HAN_TERM = 6
const RUNS = /[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z0-9\u00df-\u024f]+(?:['-][a-z0-9]+)*/g

/** Names by term; the beginnings of terms (words, or two ideographs) tell when to stop looking. */
type Index = { names: Map<string, string[]>; beginnings: Set<string> }

/**
 * Compiles a list of concepts to a reader of folded texts: the names of the concepts in one, each once, in order of first
 * appearance. Takes time linear in the length.
 */
export function createLexicon(concepts: ConceptList): (folded: string) => string[] {
  const index: Index = { names: new Map(), beginnings: new Set() }
  for (const { name, terms } of concepts) for (const term of terms) addTerm(index, name, term)
  return (folded) => collect(index, folded)
}

function addTerm(index: Index, name: string, term: string): void {
  const folded = fold(term.trim())
  if (folded === '') return
  const words = isHan(folded[0]!) ? [] : wordsOf(folded)
  const key = words.length === 0 ? hanKey(folded) : words.join(' ')
  if (words.length === 0) index.beginnings.add(key.slice(0, 2))
  for (let size = 1; size < words.length; size++) index.beginnings.add(words.slice(0, size).join(' '))
  const names = index.names.get(key)
  if (names === undefined) index.names.set(key, [name])
  else if (!names.includes(name)) names.push(name)
}

// One ideograph alone says too little to be read by its sound.
function hanKey(term: string): string {
  return term.length === 1 ? term : foldHomophones(term)
}

function wordsOf(folded: string): string[] {
  return (folded.match(RUNS) ?? []).map(stem)
}

function collect(index: Index, folded: string): string[] {
  const found = new Set<string>()
  let words: string[] = []
  for (const [run] of folded.matchAll(RUNS)) {
    if (!isHan(run[0]!)) {
      words.push(stem(run))
      continue
    }
    matchWords(index, words, found)
    words = []
    matchHan(index, run, found)
  }
  matchWords(index, words, found)
  return [...found]
}

function matchWords(index: Index, words: readonly string[], found: Set<string>): void {
  for (let start = 0; start < words.length; start++) {
    let phrase = ''
    for (let size = 1; size <= MAX_PHRASE_WORDS && start + size <= words.length; size++) {
      phrase = size === 1 ? words[start]! : `${phrase} ${words[start + size - 1]}`
      for (const name of index.names.get(phrase) ?? []) found.add(name)
      if (!index.beginnings.has(phrase)) break
    }
  }
}

function matchHan(index: Index, run: string, found: Set<string>): void {
  const sound = foldHomophones(run)
  for (let start = 0; start < run.length; start++) {
    for (const name of index.names.get(run[start]!) ?? []) found.add(name)
    if (!index.beginnings.has(sound.slice(start, start + 2))) continue
    for (let size = 2; size <= MAX_HAN_TERM && start + size <= run.length; size++)
      for (const name of index.names.get(sound.slice(start, start + size)) ?? []) found.add(name)
  }
}

// Ideographs that sound alike and get mixed up by pinyin input and voice transcripts, one group per sound; each is read
// as the first of its group. Only sounds that occur in service talk: a full pinyin table would cost more than it finds.
const GROUPS =
  '退推腿颓 货或获祸霍 快块筷 递弟第帝低地第底 密米蜜秘迷 码马玛妈吗嘛 登灯等 录路陆露鹿 蓝兰篮拦栏 牙雅亚呀压 垃拉啦 圾极级及急即 ' +
  '单担丹 订定顶丁 款宽 钱前千签欠 赔陪培配 换唤欢环缓 错措挫 发法罚 票飘漂 开凯 积机鸡基击 分份 券劝全 会惠汇回 员圆原元源 ' +
  '账帐仗张涨 户护互乎 号好浩 绑帮榜 验演严延 证正政整 注住主驻 册策测 修休秀 保宝报包 质制置知指 店电点垫典 客可克课 服福幅副 ' +
  '诉速素 投头透 公工功宫 人仁任认 转赚专砖 找照着 器气汽起 软阮 件见建简减键 闪善 屏平凭瓶 声生升胜 充冲虫 收手首守受 到道倒刀 ' +
  '运云 费废飞非肥 邮油由游 寄记计季 包抱 裹果过 物无五务误 流刘留 改盖该概 址止直 消小笑校 取去曲区 优有友 惠会 门们 营赢 业也夜'

const REPRESENTATIVE = new Map<string, string>()
for (const group of GROUPS.split(' '))
  for (const ideograph of group) if (!REPRESENTATIVE.has(ideograph)) REPRESENTATIVE.set(ideograph, group[0]!)

/** Replaces every ideograph by the one that stands for its sound; keeps the length. */
function foldHomophones(folded: string): string {
  let result = ''
  for (const unit of folded) result += REPRESENTATIVE.get(unit) ?? unit
  return result
}
