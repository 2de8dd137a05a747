import type { StatementSource } from '../../src/features/knowledge/quality/statements.ts'

/** Passages of two documents, for the test of conflicts. */
export interface Case {
  title: string
  heading?: string
  question?: string
  content: string
  category?: string
  version?: string
}

export const asSource = (
  docId: string,
  { title, heading, question, content, category, version }: Case,
): StatementSource => ({
  docId,
  title,
  headingPath: heading === undefined ? [] : [heading],
  question: question ?? null,
  content,
  productCategory: category ?? 'unknown',
  applicableVersion: version ?? 'latest',
})

export const CONTRADICTIONS: [kind: string, a: Case, b: Case][] = [
  [
    'amount',
    { title: '配送', content: '订单不满 99 元收运费 8 元。', heading: '运费' },
    { title: '运费说明', content: '订单不满 99 元收运费 12 元。', heading: '运费' },
  ],
  [
    'duration',
    { title: 'Returns', content: 'You may return goods within 7 days of delivery.' },
    { title: 'FAQ', content: 'You may return goods within 30 days of delivery.' },
  ],
  [
    'duration',
    {
      title: 'Returns',
      content: 'Items can be returned within 14 days of delivery.',
      question: 'How long do I have to return an item?',
    },
    {
      title: 'Help',
      content: 'You can return an item within 30 days.',
      question: 'How long do I have to return an item?',
    },
  ],
  [
    'duration',
    { title: '退货', content: '签收后 7 天内可以无理由退货。', heading: '退货期限' },
    { title: '售后', content: '商品签收后 15 天内可以退货。', heading: '退货期限是几天' },
  ],
  [
    'duration',
    { title: '退款', content: '退款在 3–5 个工作日内到账。', question: '退款多久到账？' },
    { title: '付款', content: '退款会在 7–10 个工作日内到账。', question: '退款多久能到账？' },
  ],
  [
    'duration',
    { title: 'Refunds', content: 'Refunds are issued to the original payment method within 5 business days.' },
    { title: 'Payments', content: 'Refunds are issued to the original payment method within ten business days.' },
  ],
  [
    'percentage',
    { title: '会员', content: '金灯会员购物享受 9 折优惠。' },
    { title: '活动', content: '金灯会员购物享受 8 折优惠。' },
  ],
  [
    'percentage',
    { title: 'Fees', content: 'The restocking fee is 10% of the price.' },
    { title: 'Returns', content: 'The restocking fee is 15% of the price.' },
  ],
  [
    'date',
    { title: '公告', content: '新的退货政策自 2026年1月1日 起生效。' },
    { title: '通知', content: '新的退货政策自 2026年3月1日 起生效。' },
  ],
  [
    'date',
    { title: 'News', content: 'The loyalty programme ends on March 31, 2026.' },
    { title: 'Members', content: 'The loyalty programme ends on June 30, 2026.' },
  ],
  [
    'time',
    { title: '联系', content: '电话客服每天 9:00–21:00 接听。' },
    { title: '客服', content: '电话客服每天 8:00–20:00 接听。' },
  ],
  [
    'time',
    { title: 'Contact', content: 'Our phone line is open daily from 9 am to 6 pm.' },
    { title: 'Support', content: 'Our phone line is open daily from 8 am to 8 pm.' },
  ],
  ['permission', { title: '退货', content: '定制商品可以退货。' }, { title: '定制', content: '定制商品不可以退货。' }],
  [
    'permission',
    { title: '退货', content: '开封的化妆品支持退换。' },
    { title: '美妆', content: '开封的化妆品不支持退换。' },
  ],
  [
    'permission',
    { title: 'Gift', content: 'Gift cards can be exchanged for cash.' },
    { title: 'Payment', content: 'Gift cards cannot be exchanged for cash.' },
  ],
  [
    'permission',
    { title: 'Pets', content: 'Opened headphones may be returned.' },
    { title: 'Audio', content: 'Opened headphones may not be returned.' },
  ],
  [
    'permission',
    { title: 'a', content: '不可以。积分和订单都不能转移。', question: '两个账户可以合并吗？' },
    { title: 'b', content: '可以，请联系客服办理。', question: '两个账户可以合并吗？' },
  ],
  [
    'permission',
    {
      title: 'a',
      content: 'Yes, until the parcel leaves our warehouse.',
      question: 'Can I change the delivery address after ordering?',
    },
    {
      title: 'b',
      content: 'No. Please cancel and order again.',
      question: 'Can I change the delivery address after ordering?',
    },
  ],
  [
    'count',
    { title: '账户', content: '一个账户最多同时登录 5 台设备。' },
    { title: '登录', content: '一个账户最多同时登录 3 台设备。' },
  ],
  [
    'count',
    { title: 'Account', content: 'You can sign in on up to 5 devices at once.' },
    { title: 'Login', content: 'You can sign in on up to 3 devices at once.' },
  ],
  [
    'duration',
    { title: '保修', content: '智能台灯的保修期为 24 个月。', heading: '智能台灯' },
    { title: '产品', content: '智能台灯保修期 12 个月。', heading: '智能台灯' },
  ],
  [
    'amount',
    { title: 'Shipping', content: 'Standard delivery costs $4.99.' },
    { title: 'Rates', content: 'Standard delivery costs $6.99.' },
  ],
  [
    'amount',
    { title: 'Shipping', content: 'Orders over $50 ship free.' },
    { title: 'Rates', content: 'Orders over $75 ship free.' },
  ],
  [
    'duration',
    { title: 'Exchange', content: 'Exchanges must be requested within two weeks of delivery.', heading: 'Exchanges' },
    { title: 'Exchange policy', content: 'Request exchanges within 30 days of delivery.', heading: 'Exchanges' },
  ],
  [
    'duration',
    { title: 'Warranty', content: 'The warranty period is 12 months.', heading: 'Warranty period' },
    { title: 'Guarantee', content: 'The warranty period is 2 years.', heading: 'Warranty period' },
  ],
  [
    'permission',
    { title: '支付', content: '海外订单支持货到付款。' },
    { title: '海外', content: '海外订单不支持货到付款。' },
  ],
  [
    'permission',
    { title: 'Cancel', content: 'Orders can be cancelled after shipping.' },
    { title: 'Orders', content: 'Orders cannot be cancelled after shipping.' },
  ],
  [
    'permission',
    { title: 'Store', content: 'Pets are allowed in our stores.' },
    { title: 'Visit', content: 'Pets are not allowed in our stores.' },
  ],
  [
    'duration',
    { title: '退货政策', content: '自收到商品之日起七天内可以申请退货' },
    { title: '退换货说明', content: '自收到商品之日起十五天内可以申请退货' },
  ],
  [
    'duration',
    { title: 'policy', content: '# Returns\nCustomers have 7 days to return a product.' },
    { title: 'faq', content: 'Customers have 14 days to return a product.' },
  ],
]

/** Of other lines of business, written before any of them had been tried. */
export const MORE_CONTRADICTIONS: [a: Case, b: Case][] = [
  [
    { title: '宽带', content: '提交申请后 3 个工作日内上门安装宽带。', heading: '装机时间' },
    { title: '常见问题', content: '宽带申请提交后,我们会在 7 个工作日内上门安装。', heading: '宽带安装' },
  ],
  [
    { title: '套餐', content: '套餐内流量用完后按每 GB 5 元计费。' },
    { title: '资费', content: '套餐内流量用完后按每 GB 3 元计费。' },
  ],
  [
    { title: 'Hotel', content: 'Breakfast is served from 7:00 to 10:00 in the lobby restaurant.' },
    { title: 'Guests', content: 'Breakfast is served from 6:30 to 9:30 in the lobby restaurant.' },
  ],
  [
    {
      title: 'Insurance',
      content: 'Report a claim within 48 hours of the accident.',
      question: 'When must I report a claim?',
    },
    {
      title: 'Claims',
      content: 'A claim has to be reported within 7 days of the accident.',
      question: 'When do I have to report a claim?',
    },
  ],
  [
    { title: '信用卡', content: '年费为每年 300 元,刷卡 6 次免年费。' },
    { title: '卡片', content: '年费为每年 500 元,刷卡 6 次免年费。' },
  ],
  [
    { title: '贷款', content: '提前还款收取违约金 1%。' },
    { title: '还款', content: '提前还款收取违约金 3%。' },
  ],
  [
    { title: 'Loan', content: 'Early repayment is free of charge after 12 months, before that a fee of 2% applies.' },
    { title: 'Rates', content: 'Early repayment is free of charge after 24 months, before that a fee of 2% applies.' },
  ],
  [
    { title: 'Gym', content: 'Memberships can be cancelled with one month notice.', heading: 'Cancel membership' },
    {
      title: 'Terms',
      content: 'Memberships can be cancelled with three months notice.',
      heading: 'Cancelling a membership',
    },
  ],
  [
    { title: 'Software', content: 'Trial accounts expire after 14 days.' },
    { title: 'Pricing', content: 'Trial accounts expire after 30 days.' },
  ],
  [
    { title: 'Software', content: 'Files up to 25 MB can be attached.' },
    { title: 'Limits', content: 'Files up to 10 MB can be attached.' },
  ],
  [
    { title: 'API', content: 'The rate limit is 100 requests per minute.' },
    { title: 'Docs', content: 'The rate limit is 60 requests per minute.' },
  ],
  [
    { title: '停车', content: '地下停车场前 2 小时免费。' },
    { title: '到店', content: '地下停车场前 3 小时免费。' },
  ],
  [
    { title: '航班', content: '经济舱旅客可免费托运行李 20 kg。' },
    { title: '行李', content: '经济舱旅客可免费托运行李 23 kg。' },
  ],
  [
    { title: '航班', content: '可以,小型宠物可以进客舱。', question: '可以携带宠物登机吗？' },
    { title: '宠物', content: '不可以,宠物只能托运。', question: '可以携带宠物登机吗？' },
  ],
  [
    { title: 'Flights', content: 'Pets are accepted in the cabin.' },
    { title: 'Pets', content: 'Pets are not accepted in the cabin.' },
  ],
  [
    { title: 'Library', content: 'Books can be renewed online.' },
    { title: 'Rules', content: 'Books cannot be renewed online.' },
  ],
  [
    { title: '图书馆', content: '读者可以在网上续借图书。' },
    { title: '规则', content: '读者不能在网上续借图书。' },
  ],
  [
    { title: '图书馆', content: '每次借阅期限为 30 天。', heading: '借阅期限' },
    { title: '须知', content: '每次借阅期限 60 天。', heading: '借阅期限' },
  ],
  [
    { title: '门票', content: '学生凭学生证购票享受 5 折优惠。' },
    { title: '票价', content: '学生凭学生证购票享受 6 折优惠。' },
  ],
  [
    { title: 'Rental', content: 'The deposit is refunded within 14 days after the vehicle is returned.' },
    { title: 'Deposit', content: 'After the vehicle is returned, the deposit is refunded within 30 days.' },
  ],
  [
    { title: '租车', content: '还车后押金 15 天内退还。' },
    { title: '押金', content: '还车后押金 30 天内退还。' },
  ],
  [
    { title: '课程', content: '购课后 7 天内可以申请全额退费。' },
    { title: '退费', content: '购课后 14 天内可以申请全额退费。' },
  ],
  [
    { title: '报名', content: '报名截止日期为 2026年6月30日。' },
    { title: '招生', content: '报名截止日期为 2026年7月15日。' },
  ],
  [
    { title: '客服', content: '人工客服工作时间为周一至周五 9:00-18:00。' },
    { title: '联系', content: '人工客服工作时间为周一至周五 8:30-17:30。' },
  ],
  [
    { title: 'VAT', content: 'Invoices can be issued to a company after purchase.' },
    { title: 'Invoices', content: 'Invoices cannot be issued to a company after purchase.' },
  ],
  [
    { title: '密码', content: '密码连续输错 5 次后账户锁定 30 分钟。' },
    { title: '锁定', content: '密码连续输错 5 次后账户锁定 24 小时。' },
  ],
]
