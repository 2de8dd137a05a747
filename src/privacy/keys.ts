import type { MaskKind } from './kinds.ts'

/** How a value is masked by its key: a personal kind, `opaque` (never a phone or card), or by content alone. */
export type KeyRule = MaskKind | 'opaque' | 'contact' | 'content'

const rules: ReadonlyArray<{ rule: KeyRule; pattern: RegExp }> = [
  {
    rule: 'secret',
    pattern:
      /^(?:.*_)?(?:passwords?|passwd|pwd|passcode|passphrase|pin_?code|secret|secret_?key|api_?key|access_?key|private_?key|(?:access|refresh|auth|id|bearer|session|api)_token|token|otp|verification_?code|security_?code|cvv2?|cvc2?)$|密码|口令|验证码|校验码|密钥|令牌|安全码/,
  },
  { rule: 'email', pattern: /^(?:.*_)?e_?mails?(?:_address|_addr)?$|邮箱|邮件地址|电子邮件/ },
  {
    rule: 'phone',
    pattern:
      /^(?:.*_)?(?:phone|phones|mobile|mobiles|tel|telephone|cell|cellphone|fax|whatsapp)(?:_?(?:no|num|number|numbers))?$|手机|电话|座机|传真|联系方式/,
  },
  {
    rule: 'identity',
    pattern:
      /^(?:.*_)?(?:id_?card|id_?card_?(?:no|number)|identity_?(?:no|number|card)?|id_number|id_no|national_id|citizen_id|ssn|social_security(?:_number)?|passport(?:_?(?:no|number))?|driver_?licen[cs]e|cert_?no)$|身份证|证件号|护照/,
  },
  {
    rule: 'card',
    pattern:
      /^(?:.*_)?(?:card_?(?:no|num|number)|bank_?card|credit_?card|debit_?card|bank_account|account_number|iban|pan)$|银行卡|信用卡|卡号|银行账号/,
  },
  {
    rule: 'payment',
    pattern:
      /^(?:.*_)?(?:payment_?(?:id|ids|method_?id|account|token|intent)|transaction_?(?:id|no)|trade_?no|pay_?(?:id|no)|charge_id|prepay_id|alipay(?:_(?:id|account))?|paypal(?:_(?:id|account))?)$|支付单号|支付流水|交易号|支付宝/,
  },
  {
    rule: 'address',
    pattern:
      /^(?:.*_)?(?:address(?:es)?(?:_?\d)?|address_?line_?\d?|addr\d?|street(?:_?\d)?|street_address|zip|zip_?code|post_?code|postal_?code)$|地址|住址|邮编/,
  },
  {
    rule: 'name',
    pattern:
      /^(?:first|last|middle|full|given|family|real|nick|customer|user|buyer|receiver|recipient|consignee|contact|sender|shipping|billing|client|account|cardholder|holder|payer|payee)_?name$|^(?:nickname|surname|username|receiver|recipient|consignee|cardholder|customer|buyer|payer|payee)$|^(?:姓名|.*(?:客户|用户|收货人|收件人|联系人|寄件人|持卡人|买家).*(?:姓名|名称|名)?|收货人|收件人|联系人|昵称)$/,
  },
  { rule: 'contact', pattern: /^(?:.*_)?contacts?$/ },
  {
    rule: 'opaque',
    pattern:
      /^(?:id|.*_?(?:order|tracking|waybill|shipment|parcel|invoice|sku|item|product|batch|serial|version|session|message|trace|request|event|doc|chunk|ticket|task)_?(?:id|ids|no|nos|nr|num|number|numbers|code)s?|sku|skus|version|tracking|amount|price|total|subtotal|balance|fee|currency|quantity|qty|count|status|.*_(?:at|date|time|ms|amount|price|total|fee)|date|time|timestamp|hash|uuid|checksum|.*(?:订单号|订单编号|运单号|快递单号|物流单号|单号|金额|价格|数量|时间|日期|版本).*)$/,
  },
]

/** Turns `shippingAddress`, `Shipping-Address` and `shipping address` into `shipping_address`. */
export function normaliseKey(key: string): string {
  const spaced = key.slice(0, 80).replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  return spaced.replace(/[\s.-]/g, '_').toLowerCase()
}

const personKeys =
  /^(?:customer|user|person|receiver|recipient|consignee|contact|buyer|sender|owner|profile|account|payer|payee|holder|address|client|客户|用户|收货人|收件人|联系人)s?$/
const thingKeys =
  /^(?:items?|products?|goods|lines?|variants?|options?|skus?|shops?|stores?|brands?|categor(?:y|ies)|商品|产品|tools?|agents?|files?|connectors?)$/
const thingSiblings = /^(?:price|sku|product_id|item_id|quantity|qty|unit_price|options|brand_id|category)$/

/**
 * The rule for a key of an object. `name` alone is a person's unless the object is a thing: inside `items`, or beside
 * a price or a product id.
 */
export function ruleOf(key: string, parent: string, siblings: readonly string[]): KeyRule {
  const normal = normaliseKey(key)
  if (normal === 'name' || normal === 'names' || normal === '名称') return nameRule(normaliseKey(parent), siblings)
  return rules.find(({ pattern }) => pattern.test(normal))?.rule ?? 'content'
}

function nameRule(parent: string, siblings: readonly string[]): KeyRule {
  if (personKeys.test(parent)) return 'name'
  const isThing = thingKeys.test(parent) || siblings.some((sibling) => thingSiblings.test(normaliseKey(sibling)))
  return isThing ? 'content' : 'name'
}
