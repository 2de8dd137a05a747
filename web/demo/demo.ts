import { byId, chosenCustomer, fill, go, type Language, language, link, make, read, setLanguage } from './page.ts'

interface Order {
  order_id: string
  items: string[]
  status: string
}
interface Demo {
  key: string
  identity: string | null
  customers: { user_id: string; name: string }[]
  orders: Order[]
  help: { name: string; language: Language; title: string }[]
}

const WORDS = {
  en: {
    who: 'You are',
    nobody: 'a visitor',
    language: '中文',
    intro:
      'Lamps and quiet things for the home. A page like this is all that a shop needs: the chat is one line in it.',
    try: 'Try it in a minute',
    yours: 'Your orders',
    help: 'Help centre',
    page: 'The chat as a page of its own',
    noOrders: 'Choose a customer above, and the chat knows their orders.',
    none: 'No orders yet.',
    desk: 'Answer as that person: open the desk beside this page',
    comma: ', ',
    steps: [
      'Ask “What is the return window?” and open the source of the answer.',
      'Choose a customer above, ask where an order is, or ask to cancel one, and say yes.',
      'Write “I want to talk to a person”, and answer in the desk.',
    ],
    goods: [
      ['Lantern One', 'A desk lamp that knows the time of day', '¥329'],
      ['Sweep S2', 'A robot vacuum that stays out of the way', '¥2,199'],
      ['Hush', 'Headphones for trains and open offices', '¥699'],
      ['Amber', 'A kettle that does not shout', '¥199'],
    ],
  },
  zh: {
    who: '您是',
    nobody: '访客',
    language: 'English',
    intro: '灯具与安静的家居好物。商店只需要这样一个页面：在线客服只是其中一行代码。',
    try: '一分钟体验',
    yours: '您的订单',
    help: '帮助中心',
    page: '单独成页的在线客服',
    noOrders: '在上方选择一位客户，在线客服就能查询其订单。',
    none: '还没有订单。',
    desk: '以客服身份回答：在旁边打开工作台',
    comma: '、',
    steps: [
      '问“刚买就降价了，可以退差价吗？”，并展开回答的来源。',
      '在上方选择一位客户，询问订单在哪里，或要求取消订单并确认。',
      '输入“我要人工”，然后在工作台中回答。',
    ],
    goods: [
      ['Lantern One 智能台灯', '懂得时间的台灯', '¥329'],
      ['Sweep S2 扫地机器人', '不打扰您的扫地机器人', '¥2,199'],
      ['Hush 降噪耳机', '适合列车与开放办公室', '¥699'],
      ['Amber 电热水壶', '安静的水壶', '¥199'],
    ],
  },
} as const

/** States of orders as the shop writes them, in Chinese; in English they are said as they stand. */
const STATES: Readonly<Record<string, string>> = {
  pending: '待处理',
  processed: '已处理',
  delivered: '已送达',
  cancelled: '已取消',
  'return requested': '已申请退货',
  'exchange requested': '已申请换货',
}

const REFRESH_MS = 4_000

const words = WORDS[language]
const data = (): Promise<Demo> => read<Demo>(`/demo/widget?customer=${encodeURIComponent(chosenCustomer)}`)

await show()

async function show(): Promise<void> {
  setLanguage(language)
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]')) {
    element.textContent = words[element.dataset.word as 'who']
  }
  fill(
    'goods',
    words.goods.map(([name, text, price]) => [make('strong', name), `${text} · ${price}`]),
  )
  fill(
    'steps',
    words.steps.map((step) => [step]),
  )
  const other = byId('language')
  other.textContent = words.language
  other.addEventListener('click', () => go({ lang: language === 'zh' ? 'en' : 'zh' }))
  const demo = await data()
  showCustomers(demo)
  showOrders(demo)
  const help = demo.help.filter((page) => page.language === language)
  fill(
    'help',
    help.map(({ name, title }) => [link(`/demo/help/${name}`, title)]),
  )
  byId('page').setAttribute('href', `/widget?${new URLSearchParams({ key: demo.key, lang: language })}`)
  addWidget(demo)
  // Whatever is said in the chat or at the desk may change one.
  if (chosenCustomer !== '') setInterval(() => void refreshOrders(), REFRESH_MS)
}

async function refreshOrders(): Promise<void> {
  if (document.hidden) return
  // A service that is away for a moment leaves what was shown.
  const demo = await data().catch(() => null)
  if (demo) showOrders(demo)
}

/** The one line that a shop needs. */
function addWidget({ key, identity }: Demo): void {
  const script = document.createElement('script')
  script.async = true
  script.src = '/widget.js'
  script.dataset.key = key
  if (identity) script.dataset.identity = identity
  document.head.append(script)
}

function showCustomers({ customers }: Demo): void {
  const select = byId('customer') as HTMLSelectElement
  select.append(new Option(words.nobody, ''), ...customers.map(({ user_id, name }) => new Option(name, user_id)))
  select.value = chosenCustomer
  select.addEventListener('change', () => go({ customer: select.value }))
}

function showOrders({ orders }: Demo): void {
  const nothing = chosenCustomer === '' ? words.noOrders : words.none
  fill('orders', orders.length > 0 ? orders.map(toLine) : [[nothing]])
}

function toLine({ order_id, items, status }: Order) {
  const state = language === 'zh' ? (STATES[status] ?? status) : status
  return [make('strong', order_id), ` ${items.join(words.comma)} · ${state}`]
}
