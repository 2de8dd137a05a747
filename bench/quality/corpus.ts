import { seededRandom } from '../../test/support/masking-corpus.ts'

/**
 * A made-up help centre of any size whose faults are known: products and services with their rules, each rule told in
 * two documents in different words but with one value, and some passages planted that repeat or contradict others.
 */

export interface Passage {
  docId: string
  title: string
  headingPath: string[]
  question: string | null
  content: string
  /** What it is about, and what it says of it: one matter with two values is a contradiction. */
  matter: string
  value: string
  /** Number of the passage that this one was copied from; its own when it was not. */
  original: number
  /** The planted fault, if it has one. */
  planted?: { kind: string; duplicateOf?: number; conflictsWith?: number }
}

type Language = 'zh' | 'en'

interface Rule {
  topic: Record<Language, string>
  /** Wordings of one fact; `{p}` is the product or service, `{v}` the value. */
  wordings: Record<Language, string[]>
  /** Values from which one is drawn, for each language as it is written. */
  values: Record<Language, string[]>
}

interface Permission {
  topic: Record<Language, string>
  allowed: Record<Language, string>
  forbidden: Record<Language, string>
}

const days = (numbers: number[]) => ({ zh: numbers.map((n) => `${n} 天`), en: numbers.map((n) => `${n} days`) })
const months = (numbers: number[]) => ({ zh: numbers.map((n) => `${n} 个月`), en: numbers.map((n) => `${n} months`) })
const money = (numbers: number[]) => ({ zh: numbers.map((n) => `${n} 元`), en: numbers.map((n) => `$${n}`) })
const percent = (numbers: number[]) => ({ zh: numbers.map((n) => `${n}%`), en: numbers.map((n) => `${n}%`) })

const RULES: Rule[] = [
  {
    topic: { zh: '{p}的退货期限', en: 'Returning the {p}' },
    wordings: {
      zh: ['{p}签收后 {v}内可以申请退货。', '购买{p}的订单,签收之日起 {v}内可以退货。'],
      en: ['The {p} may be returned within {v} of delivery.', 'You can return the {p} within {v} after delivery.'],
    },
    values: days([7, 10, 14, 15, 30, 45]),
  },
  {
    topic: { zh: '{p}的保修期', en: 'Warranty of the {p}' },
    wordings: {
      zh: ['{p}的保修期为 {v}。', '{p}整机保修 {v},从签收次日算起。'],
      en: ['The {p} has a warranty of {v}.', 'The warranty of the {p} is {v} from the day of delivery.'],
    },
    values: months([6, 12, 18, 24, 36]),
  },
  {
    topic: { zh: '{p}的运费', en: 'Delivery of the {p}' },
    wordings: {
      zh: ['寄送{p}收取运费 {v}。', '{p}的标准快递运费为 {v}。'],
      en: ['Standard delivery of the {p} costs {v}.', 'The delivery fee of the {p} is {v}.'],
    },
    values: money([5, 8, 12, 15, 20, 25]),
  },
  {
    topic: { zh: '{p}的延保费用', en: 'Extended warranty of the {p}' },
    wordings: {
      zh: ['{p}的延保费用为商品价格的 {v}。', '为{p}购买延保,费用是价格的 {v}。'],
      en: [
        'Extended warranty of the {p} costs {v} of the price.',
        'For the {p}, extended warranty is {v} of the price.',
      ],
    },
    values: percent([5, 8, 10, 12, 15]),
  },
  {
    topic: { zh: '{p}的维修时间', en: 'Repair of the {p}' },
    wordings: {
      zh: ['{p}送修后 {v}内修好寄回。', '我们收到{p}后,{v}内完成维修。'],
      en: ['We repair the {p} within {v} of receiving it.', 'A repair of the {p} is finished within {v}.'],
    },
    values: {
      zh: [3, 5, 7, 10].map((n) => `${n} 个工作日`),
      en: [3, 5, 7, 10].map((n) => `${n} working days`),
    },
  },
  {
    topic: { zh: '{p}的滤芯更换', en: 'Filter of the {p}' },
    wordings: {
      zh: ['{p}的滤芯建议每 {v}更换一次。', '每 {v}更换一次{p}的滤芯。'],
      en: ['Change the filter of the {p} every {v}.', 'The filter of the {p} should be changed every {v}.'],
    },
    values: months([2, 3, 4, 6, 9]),
  },
]

const PERMISSIONS: Permission[] = [
  {
    topic: { zh: '拆封后的{p}', en: 'Opened {p}' },
    allowed: { zh: '拆封后的{p}可以退货。', en: 'An opened {p} can be returned.' },
    forbidden: { zh: '拆封后的{p}不可以退货。', en: 'An opened {p} cannot be returned.' },
  },
  {
    topic: { zh: '{p}与优惠券', en: 'Coupons for the {p}' },
    allowed: { zh: '购买{p}时支持叠加优惠券。', en: 'Coupons may be used for the {p}.' },
    forbidden: { zh: '购买{p}时不支持叠加优惠券。', en: 'Coupons may not be used for the {p}.' },
  },
  {
    topic: { zh: '{p}的货到付款', en: 'Paying for the {p} on delivery' },
    allowed: { zh: '{p}支持货到付款。', en: 'Cash on delivery is accepted for the {p}.' },
    forbidden: { zh: '{p}不支持货到付款。', en: 'Cash on delivery is not accepted for the {p}.' },
  },
]

/** What stands around a rule; `{w}` is a word, so that two passages hardly ever have the same surroundings. */
const FILLER: Record<Language, string[]> = {
  zh: `下单前请核对{w}和联系电话。|{w}完好有助于更快办理。|有关{w}的疑问请联系在线客服。|办理时请准备好{w}和订单编号。|{w}的进度可以在订单详情里查看。
处理结果会以短信通知您,并附上{w}。|请保留{w}和配件。|节假日期间{w}会顺延。|门店同样受理{w}。|请在光线充足的地方拍摄{w}。|首次使用前请阅读{w}。
部分地区需要额外的{w}。|{w}随商品一起寄出。|请勿自行拆卸{w}。|清洁{w}时先断开电源。|系统会自动发送{w}。|请如实填写{w}。
{w}在交易完成后到账。|客服会在线上协助您处理{w}。|同一订单中的{w}不受影响。`.split(/[|\n]/),
  en: `Please check the {w} before you order.|An intact {w} helps us to be faster.|Ask our support team about the {w}.
Keep the {w} and the order number at hand.|The order page shows the {w}.|We tell you the result with the {w}.|Please keep the {w} and all accessories.
Public holidays delay the {w}.|Our shops help with the {w} as well.|Take pictures of the {w} in good light.|Read about the {w} before the first use.
Remote regions need another {w}.|The {w} comes with the parcel.|Do not open the {w} yourself.|Unplug the {w} before cleaning.|A {w} is sent automatically.
State the {w} truthfully.|The {w} is booked after the purchase.|An adviser explains the {w}.|The {w} of other articles is not affected.`.split(
    /[|\n]/,
  ),
}
const WORDS: Record<Language, string[]> = {
  zh: '收货地址 外包装 说明书 发票 付款方式 配送时间 申请原因 机身编号 电源线 适配器 退款账户 积分 提醒 质检报告 安装服务 礼品卡 预约 取件码 保修卡 检测结果 补偿 数量 颜色 尺寸 赠品 签收单 快递单 会员等级 门店地址 服务记录'.split(
    ' ',
  ),
  en: 'address,packaging,manual,invoice,payment,schedule,reason,serial number,power cord,adapter,account,points,reminder,test report,installation,gift card,appointment,pick-up code,guarantee card,finding,compensation,quantity,colour,size,free gift,receipt,waybill,tier,shop,service record'.split(
    ',',
  ),
}

const MAKERS =
  `Aster Borea Cirrus Delta Ember Fjord Garnet Helio Iris Juno Krypton Lumen Mistral Nimbus Onyx Pulsar Quill Rune Sable Tundra
Umber Vesper Willow Xenon Yarrow Zephyr Alder Birch Cedar Dune Elm Fern Grove Heath Ivory Jasper Kelp Lark Maple Nectar Opal Pine
Quartz Raven Slate Thorn Urchin Violet Wren Yew`.split(/\s+/)
const LINES =
  `Classic Prime Nova Edge Terra Aqua Solar Lunar Urban Alpine Coast Royal Junior Senior Compact Grand Silent Rapid Vivid Pure`.split(
    ' ',
  )
const GOODS: Record<Language, string[]> = {
  zh: '台灯 电热水壶 空气净化器 扫地机器人 耳机 智能门锁 投影仪 人体工学椅 充电宝 加湿器 电饭煲 咖啡机 吸尘器 风扇 音箱 键盘 显示器 路由器 摄像头 体重秤'.split(
    ' ',
  ),
  en: 'desk lamp,kettle,air purifier,robot vacuum,headphones,smart lock,projector,office chair,power bank,humidifier,rice cooker,coffee machine,vacuum cleaner,fan,speaker,keyboard,monitor,router,camera,bathroom scale'.split(
    ',',
  ),
}

/** @param chunks how many passages; a fair number of them, at most some 800, repeat or contradict another one. */
export function createCorpus(chunks: number, seed = 1): Passage[] {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const passages: Passage[] = []
  // Few enough for every finding to be listed in the report.
  const share = Math.min(1, PLANTED / chunks)
  for (let number = 0; passages.length < chunks; number++) {
    const language: Language = number % 2 === 0 ? 'zh' : 'en'
    const name = productName(number >> 1, language)
    for (const rule of RULES) addRule(passages, rule, { language, name, number }, share, random)
    for (const permission of PERMISSIONS) addPermission(passages, permission, { language, name, number }, share, random)
    if (random() < 18 * share) addDuplicate(passages, pick, random, number)
  }
  return passages.slice(0, chunks)
}

function productName(number: number, language: Language): string {
  const maker = MAKERS[number % MAKERS.length]!
  const line = LINES[Math.floor(number / MAKERS.length) % LINES.length]!
  const goods = GOODS[language][Math.floor(number / (MAKERS.length * LINES.length)) % GOODS[language].length]!
  return language === 'zh' ? `${maker} ${line} ${goods}` : `${maker} ${line} ${goods}`
}

/** Passages that repeat another one, and about as many that contradict another one. */
const PLANTED = 800

interface Subject {
  language: Language
  name: string
  number: number
}

function addRule(passages: Passage[], rule: Rule, subject: Subject, share: number, random: () => number): void {
  const { language, name, number } = subject
  const values = rule.values[language]
  const value = Math.floor(random() * values.length)
  const tell = (wording: number, chosen: number): string =>
    rule.wordings[language][wording]!.replaceAll('{p}', name).replaceAll('{v}', values[chosen]!)
  const topic = rule.topic[language].replaceAll('{p}', name)
  const first = passages.length
  const about = { title: name, topic, number: first }
  passages.push(passage(`manual-${number}`, about, values[value]!, embed(tell(0, value), language, random)))
  const draw = random()
  const isPlanted = draw < 2 * share
  const other = isPlanted ? (value + 1 + Math.floor(random() * (values.length - 1))) % values.length : value
  // A contradiction in the same words, or in the other wording.
  const isVerbatim = draw < share
  const content = embed(tell(isVerbatim ? 0 : 1, other), language, random)
  const told = passage(`rules-${number}`, { ...about, number: first + 1 }, values[other]!, content)
  const kind = isVerbatim ? 'another value, same words' : 'another value, other words'
  passages.push(isPlanted ? { ...told, planted: { kind, conflictsWith: first } } : told)
}

function addPermission(
  passages: Passage[],
  rule: Permission,
  subject: Subject,
  share: number,
  random: () => number,
): void {
  const { language, name, number } = subject
  const isAllowed = random() < 0.5
  const tell = (allowed: boolean): string => (allowed ? rule.allowed : rule.forbidden)[language].replaceAll('{p}', name)
  const topic = rule.topic[language].replaceAll('{p}', name)
  const first = passages.length
  const about = { title: name, topic, number: first }
  passages.push(passage(`manual-${number}`, about, String(isAllowed), embed(tell(isAllowed), language, random)))
  const isPlanted = random() < 2 * share
  const other = isPlanted ? !isAllowed : isAllowed
  const content = embed(tell(other), language, random)
  const told = passage(`rules-${number}`, { ...about, number: first + 1 }, String(other), content)
  passages.push(isPlanted ? { ...told, planted: { kind: 'opposite permission', conflictsWith: first } } : told)
}

function passage(
  docId: string,
  { title, topic, number }: { title: string; topic: string; number: number },
  value: string,
  content: string,
): Passage {
  return { docId, title, headingPath: [topic], question: null, content, matter: topic, value, original: number }
}

/** The sentence among three others. */
function embed(sentence: string, language: Language, random: () => number): string {
  const sentences = [sentence]
  while (sentences.length < 4) {
    const word = WORDS[language][Math.floor(random() * WORDS[language].length)]!
    const filler = FILLER[language][Math.floor(random() * FILLER[language].length)]!.trim().replace('{w}', word)
    if (!sentences.includes(filler)) sentences.splice(Math.floor(random() * (sentences.length + 1)), 0, filler)
  }
  return sentences.join(language === 'zh' ? '' : ' ')
}

/** A copy as people make them: with another greeting, a word changed, other punctuation, or nothing changed at all. */
function addDuplicate(
  passages: Passage[],
  pick: <T>(items: readonly T[]) => T,
  random: () => number,
  number: number,
): void {
  const original = Math.floor(random() * passages.length)
  const source = passages[original]!
  if (source.planted || source.docId.startsWith('copy-')) return
  const edit = pick(EDITS)
  const content = edit.apply(source.content)
  passages.push({
    ...{ ...source, docId: `copy-${number}`, content },
    planted: { kind: edit.kind, duplicateOf: original },
  })
}

const EDITS = [
  { kind: 'copied', apply: (text: string) => text },
  { kind: 'other punctuation', apply: (text: string) => text.replaceAll('。', '！').replaceAll('.', ' !') },
  {
    kind: 'a word added',
    apply: (text: string) => (/[a-z]{3}/.test(text.slice(-20)) ? `Note: ${text}` : `提示：${text}`),
  },
  {
    kind: 'a word changed',
    apply: (text: string) => text.replace('请', '务必').replace(/\b(?:Please|Keep|Ask|Read|Our|We)\b/, 'Kindly'),
  },
]
