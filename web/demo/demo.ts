interface Customer {
  user_id: string
  name: string
  orders: { order_id: string; items: string; status: string }[]
}
interface Demo {
  key: string
  identity: string | null
  customers: Customer[]
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
    noOrders: 'Choose a customer above, and the chat knows their orders.',
    desk: 'Answer as that person: open the desk beside this page',
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
    noOrders: '在上方选择一位客户，在线客服就能查询其订单。',
    desk: '以客服身份回答：在旁边打开工作台',
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

const query = new URLSearchParams(location.search)
const language = query.get('lang') === 'zh' || (!query.has('lang') && /^zh/i.test(navigator.language)) ? 'zh' : 'en'
const words = WORDS[language]
const chosen = query.get('customer') ?? ''

await show()

async function show(): Promise<void> {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]')) {
    element.textContent = words[element.dataset.word as 'who']
  }
  fill(
    'goods',
    words.goods.map(([name, text, price]) => [strong(name), `${text} · ${price}`]),
  )
  fill(
    'steps',
    words.steps.map((step) => [step]),
  )
  const other = byId('language')
  other.textContent = words.language
  other.addEventListener('click', () => go({ lang: language === 'zh' ? 'en' : 'zh' }))
  const demo = (await (await fetch(`/demo/widget?customer=${encodeURIComponent(chosen)}`)).json()) as Demo
  showCustomers(demo)
  const script = document.createElement('script')
  script.async = true
  script.src = '/widget.js'
  script.dataset.key = demo.key
  if (demo.identity) script.dataset.identity = demo.identity
  document.head.append(script)
}

function showCustomers({ customers }: Demo): void {
  const select = byId('customer') as HTMLSelectElement
  select.append(new Option(words.nobody, ''), ...customers.map(({ user_id, name }) => new Option(name, user_id)))
  select.value = chosen
  select.addEventListener('change', () => go({ customer: select.value }))
  const orders = customers.find(({ user_id }) => user_id === chosen)?.orders ?? []
  fill(
    'orders',
    orders.length > 0
      ? orders.map((each) => [strong(each.order_id), ` ${each.items} · ${each.status}`])
      : [[words.noOrders]],
  )
}

function go(change: Record<string, string>): void {
  for (const [name, value] of Object.entries({ lang: language, ...change })) query.set(name, value)
  location.search = query.toString()
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(id)
  return element
}

function strong(text: string): HTMLElement {
  const element = document.createElement('strong')
  element.textContent = text
  return element
}

function fill(id: string, items: readonly (readonly (string | Node)[])[]): void {
  byId(id).replaceChildren(
    ...items.map((content) => {
      const item = document.createElement('li')
      item.append(...content)
      return item
    }),
  )
}
