import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harmlessSamples, isHidden, personalSamples, seededRandom } from '../../test/support/masking-corpus.ts'
import { isCardNumber, isIdentityNumber } from './checks.ts'
import { maskRecord, maskText, maskValue } from './index.ts'

describe('masking of generated texts', () => {
  it('hides every valid phone, identity number, card and e-mail, however written', () => {
    const missed = personalSamples(10_000, seededRandom(42)).filter(
      ({ text, secret }) => !isHidden(secret ?? '', maskText(text)),
    )
    expect(missed).toEqual([])
  })

  it('leaves at least 99 % of order numbers, trackings, amounts, dates, versions and SKUs alone', () => {
    const samples = harmlessSamples(10_000, seededRandom(42))
    const touched = samples.filter(({ text }) => maskText(text) !== text)
    expect(touched.length / samples.length).toBeLessThanOrEqual(0.01)
  })

  it('changes nothing more when it is applied again', () => {
    for (const { text } of personalSamples(2_000, seededRandom(3))) {
      const once = maskText(text)
      expect(maskText(once)).toBe(once)
    }
  })

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => typeof maskText(text) === 'string'))
  })

  it('hides addresses of the whole e-mail grammar that a form accepts', () => {
    fc.assert(fc.property(fc.emailAddress(), (address) => !maskText(`邮箱${address}谢谢`).includes(address)))
  })
})

describe('maskText', () => {
  it.each([
    ['手机13800138000电话', '手机138****8000电话'],
    ['手机１３８ ００１３ ８０００谢谢', '手机138****8000谢谢'],
    ['+86 138-0013-8000', '+86 138****8000'],
    ['(+86)13800138000 ok', '+86 138****8000 ok'],
    ['138 0013 8000 139 0013 9000', '138****8000 139****9000'],
    ['一三八零零一三八零零零', '138****8000'],
    ['call 2125551234', 'call 212****234'],
    ['身份证11010519491231002X。', '身份证110***********002X。'],
    ['卡号6222 0212 3456 7890 123', '卡号6222***********0123'],
    ['邮箱zhang.san@example.com谢谢', '邮箱z***@example.com谢谢'],
    ['地址：广东省深圳市南山区科技园路1号5栋301室，好', '地址：广东省****，好'],
    ['at 215 River Road, Suite 991, New York, NY 10083, USA now', 'at 2**** now'],
    ['收货人：张三，在吗', '收货人：张*，在吗'],
    ['my name is John Smith', 'my name is J*** S****'],
    ['paid with credit_card_4420174', 'paid with credit_card_****174'],
  ])('masks %s', (text, masked) => {
    expect(maskText(text)).toBe(masked)
  })

  it.each([
    'order #W2611340, tracking 357962501027',
    '订单号 13912345678、13812345678',
    '{"tracking_ids":["13912345678","13812345678"]}',
    'SF1380013800012',
    'ORD-20240115-13912345678',
    '¥13,800.00 合计13800138000元',
    '10.0.19045.2965 released 2024-01-15 13:45:30',
    'trace 550e8400-e29b-41d4-a716-446655440000 took 0.13912345678 s',
    'hotline 400-820-8820',
    '我知道5号发货，5月3号到',
    '3 orders on the way',
    'sizes 199 299 3999',
    'ISBN 978-7-111-12345-6',
  ])('leaves %s', (text) => {
    expect(maskText(text)).toBe(text)
  })

  it('keeps the values that the caller names', () => {
    const text = 'write to help@shop.example, not to jo@example.com'
    expect(maskText(text, { keep: ['help@shop.example'] })).toBe('write to help@shop.example, not to j***@example.com')
  })

  it('reads one megabyte of hostile text to its end', () => {
    for (const unit of ['1 ', '-1', '138 ', 'a@', '路1号', '1 A A A ', '+1 ', '(1)', '零']) {
      const text = unit.repeat(1_000_000 / unit.length)
      expect(maskText(`${text}。13800138000`).endsWith('。138****8000')).toBe(true)
    }
  })
})

describe('maskValue', () => {
  it.each([
    ['张三', 'name', '张*'],
    ['John Doe', 'name', 'J*** D**'],
    ['13800138000', 'phone', '138****8000'],
    ['li@example.com', 'email', 'l***@example.com'],
    ['215 River Road', 'address', '2****'],
    ['gift_card_1725971', 'payment', 'gift_card_****971'],
    ['12', 'card', '**'],
    ['', 'name', ''],
  ] as const)('%s as %s is %s', (value, kind, masked) => {
    expect(maskValue(value, kind)).toBe(masked)
  })

  it('never shows the whole of any value', () => {
    const kinds = fc.constantFrom('phone', 'identity', 'card', 'payment', 'address', 'name', 'email' as const)
    const values = fc.stringMatching(/^[A-Za-z0-9 ]{1,40}$/).filter((value) => value.trim() !== '')
    fc.assert(fc.property(values, kinds, (value, kind) => maskValue(value, kind) !== value))
  })
})

describe('maskRecord', () => {
  it('masks by key and content and names what it masked', () => {
    const order = {
      order_id: '#W2611340',
      first_name: 'James',
      email: 'james.li4495@example.com',
      items: [{ name: 'Water Bottle', item_id: '6469567736', price: 47.84 }],
      tracking_ids: ['13912345678'],
      payment_history: [{ amount: 536.65, payment_method_id: 'gift_card_1725971' }],
      address: { address1: '215 River Road', city: 'New York', country: 'USA' },
      remark: '改到13800138000',
      cancel_reason: null,
    }
    const { data, maskedFields } = maskRecord({ orders: [order] })
    expect(maskedFields).toEqual([
      'orders[0].first_name',
      'orders[0].email',
      'orders[0].payment_history[0].payment_method_id',
      'orders[0].address.address1',
      'orders[0].address.city',
      'orders[0].remark',
    ])
    expect(data.orders[0]).toMatchObject({
      order_id: '#W2611340',
      first_name: 'J****',
      email: 'j***@example.com',
      items: [{ name: 'Water Bottle', item_id: '6469567736', price: 47.84 }],
      tracking_ids: ['13912345678'],
      address: { address1: '2****', city: 'N****', country: 'USA' },
      remark: '改到138****8000',
    })
  })

  it('knows a person from a product by what stands beside the name', () => {
    const { data } = maskRecord({
      customer: { name: 'James Li' },
      product: { name: 'Desk Lamp' },
      goods: { name: 'Kettle', price: 1 },
      name: { first_name: 'Noah', last: 'Brown' },
    })
    expect(data).toEqual({
      customer: { name: 'J**** L*' },
      product: { name: 'Desk Lamp' },
      goods: { name: 'Kettle', price: 1 },
      name: { first_name: 'N***', last: 'B****' },
    })
  })

  it('reads Chinese and camel-case keys, numbers and keys that are personal themselves', () => {
    const { data, maskedFields } = maskRecord({
      收货人: '张三',
      手机号: 13800138000,
      shippingAddress: '广东省深圳市科技园路1号',
      payment_methods: { gift_card_1725971: { balance: 22 } },
      运单号: '13912345678',
    })
    expect(data).toEqual({
      收货人: '张*',
      手机号: '138****8000',
      shippingAddress: '广东省****',
      payment_methods: { 'gift_card_****971': { balance: 22 } },
      运单号: '13912345678',
    })
    expect(maskedFields).toEqual(['收货人', '手机号', 'shippingAddress'])
  })

  it('survives any JSON and keeps its structure', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const { data } = maskRecord(value)
        expect(Array.isArray(data)).toBe(Array.isArray(value))
        expect(maskRecord(data).data).toEqual(data)
      }),
    )
  })
})

describe('checks', () => {
  it('accepts published test numbers and refuses a changed digit', () => {
    const cards = ['4111111111111111', '5555555555554444', '378282246310005', '6011111111111117', '30569309025904']
    expect(cards.filter((number) => !isCardNumber(number))).toEqual([])
    expect(isCardNumber('4111111111111112')).toBe(false)
    expect(isIdentityNumber('11010519491231002X')).toBe(true)
    expect(isIdentityNumber('110105194912310021')).toBe(false)
    expect(isIdentityNumber('110105194902310021')).toBe(false)
  })
})
