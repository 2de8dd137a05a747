/** Kind of a number by the words directly before it; `opaque` is an order, tracking or item number, or an amount. */
export type Cue = 'phone' | 'card' | 'identity' | 'opaque'

// Each expression is tried on the last 32 characters before a number only, so its cost is bounded.
const tail =
  /(?:[ _-]?(?:numbers?|num|no|nr|ids?|codes?|号码|号))?(?: ?(?:me|us|him|her))?(?: ?(?:at|on|is|was|are|(?:would|should|will) be|是|为))?["' .:：=([#-]{0,6}$/

function cue(words: string): RegExp {
  return new RegExp(`(?:${words})${tail.source}`, 'i')
}

const phone = cue(
  '电话|手机|手机号|联系方式|联系|致电|拨打|打给|传真|微信|座机|固话|tel|telephone|phone|mobile|mob|cell|call|fax|whatsapp|wechat|\\bvx|\\bwx|contact|dial',
)
const card = cue('卡号|银行卡|信用卡|储蓄卡|借记卡|\\bcard|\\bpan|账号|bank account|account number')
const identity = cue('身份证|身份证件|证件|id card|identity card|identity|national id|citizen id')
const opaque = cue(
  '订单号|订单编号|订单id|单号|编号|流水|流水号|货号|型号|版本|版本号|批次|批号|序列号|追踪号|跟踪号|快递号|物流号|发票号|条码|\\bskus?|\\bupc|\\bean|\\bisbn|\\bimei|order[ _-]?(?:no|nr|num|number|id|#)|tracking|waybill|\\bawb|parcel|shipment|invoice|serial|version|\\bbuild|\\bref|reference|item[ _-]?id|product[ _-]?id|batch',
)
const amount = /(?:[$€£¥￥]|rmb|usd|cny|eur|人民币|金额|合计|总价|总计|价格|total|amount|price|sum)[ :：=是为"']{0,4}$/i
const numberSign = /[#№] ?$/
// ORD-2024-…, SKU-…: capitals joined by dashes name a document, unless they say that a phone or card follows.
const coded = /(?:^|[^A-Za-z0-9-])(?!(?:TEL|MOB|CELL|FAX|PHONE|QQ|VX|WX|ID|CARD)-)[A-Z]{1,6}-(?:[0-9A-Z]{1,8}-){0,3}$/

/** Reads the cue before position `start` of a folded text, or null. */
export function cueBefore(text: string, start: number): Cue | null {
  const before = text.slice(Math.max(0, start - 32), start)
  if (numberSign.test(before) || coded.test(before) || opaque.test(before) || amount.test(before)) return 'opaque'
  if (phone.test(before)) return 'phone'
  if (card.test(before)) return 'card'
  return identity.test(before) ? 'identity' : null
}

const contactWord = /^(?:tel|telephone|phone|mobile|mob|cell|call|fax|whatsapp|wechat|vx|wx|id|card|no|at|is|to)$/i

/** False where `start` is in the middle of a code such as `SF138…`; a word that announces a number may touch it. */
export function startsNumber(text: string, start: number): boolean {
  const previous = text[start - 1] ?? ''
  if (previous === '' || !/[A-Za-z]/.test(previous)) return true
  const word = /[A-Za-z]{1,12}$/.exec(text.slice(Math.max(0, start - 12), start))?.[0] ?? ''
  return contactWord.test(word)
}

/** False where the digits go on as a code (`138…ab12`), a fraction or an amount of money. */
export function endsNumber(text: string, end: number): boolean {
  const after = text.slice(end, end + 16)
  if (/^[A-Za-z]{1,15}\d/.test(after) || /^\.\d{2}/.test(after)) return false
  return !/^ ?(?:元|块|万|usd|rmb|cny|eur|dollars)/i.test(after)
}
