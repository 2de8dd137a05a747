import type { Case } from './contradictions.ts'

/** Passages of two documents that look as if they contradicted each other, and do not. */
export const AGREEMENTS: [why: string, a: Case, b: Case][] = [
  [
    'same in other units',
    { title: 'Returns', content: 'You may return goods within 7 days of delivery.' },
    { title: 'FAQ', content: 'You may return goods within one week of delivery.' },
  ],
  ['year/months', { title: '保修', content: '台灯保修 12 个月。' }, { title: 'b', content: '台灯保修一年。' }],
  ['products', { title: '台灯', content: '保修期 24 个月。' }, { title: '投影仪', content: '保修期 12 个月。' }],
  [
    'products inline',
    { title: 'a', content: '台灯的保修期为 24 个月。' },
    { title: 'b', content: '投影仪的保修期为 12 个月。' },
  ],
  [
    'products en',
    { title: 'Lamp', content: 'The desk lamp has a warranty of 24 months.' },
    { title: 'Kettle', content: 'The kettle has a warranty of 12 months.' },
  ],
  [
    'members',
    { title: '银灯', content: '银灯会员可以在 30 天内退货。', heading: '银灯会员' },
    { title: '金灯', content: '金灯会员可以在 45 天内退货。', heading: '金灯会员' },
  ],
  [
    'refund/exchange',
    { title: '退货', content: '签收后 7 天内可以退货。' },
    { title: '换货', content: '签收后 15 天内可以换货。' },
  ],
  [
    'before/after',
    { title: 'a', content: 'Orders can be cancelled before shipping.' },
    { title: 'b', content: 'Orders cannot be cancelled after shipping.' },
  ],
  [
    'opened/unopened',
    { title: 'a', content: '未拆封的商品可以退货。' },
    { title: 'b', content: '拆封的商品不可以退货。' },
  ],
  [
    'within/after',
    { title: 'a', content: 'Refunds are possible within 30 days.' },
    { title: 'b', content: 'Refunds are not possible after 30 days.' },
  ],
  ['at least/at most', { title: 'a', content: '密码至少 8 位。' }, { title: 'b', content: '密码最多 20 位。' }],
  [
    'range holds',
    { title: '退款', content: '退款在 3–5 个工作日内到账。', question: '退款多久到账？' },
    { title: '付款', content: '退款在 5 个工作日内到账。', question: '退款多久到账？' },
  ],
  ['except', { title: 'a', content: '除定制商品外都可以退货。' }, { title: 'b', content: '定制商品不可以退货。' }],
  ['steps', { title: 'a', content: '满 99 元减 10 元。' }, { title: 'b', content: '满 199 元减 30 元。' }],
  [
    'tiers',
    { title: 'a', content: '分 3 期免手续费，分 6 期手续费为 3%。' },
    { title: 'b', content: '分 12 期手续费为 6%。' },
  ],
  [
    'versions',
    { title: 'a', content: 'The cache expires after 10 minutes.', version: '1.0' },
    { title: 'b', content: 'The cache expires after 30 minutes.', version: '2.0' },
  ],
  [
    'categories',
    { title: 'a', content: '整机保修 24 个月。', category: 'lamp' },
    { title: 'b', content: '整机保修 12 个月。', category: 'kettle' },
  ],
  [
    'codes',
    { title: 'a', content: '错误码 E5 表示尘盒未装好，请等待 5 分钟。' },
    { title: 'b', content: '错误码 E6 表示尘盒未装好，请等待 10 分钟。' },
  ],
  [
    'regions',
    { title: 'a', content: 'Delivery to Singapore takes 6 days.' },
    { title: 'b', content: 'Delivery to Japan takes 9 days.' },
  ],
  [
    'weekday',
    { title: 'a', content: '周一至周五 9:00–18:00 营业。' },
    { title: 'b', content: '周末 10:00–16:00 营业。' },
  ],
  [
    'agree',
    { title: 'a', content: 'Gift cards cannot be exchanged for cash.' },
    { title: 'b', content: 'Gift cards can not be exchanged for cash.' },
  ],
  [
    'only',
    { title: 'a', content: 'Only gold members can return opened goods.' },
    { title: 'b', content: 'Silver members cannot return opened goods.' },
  ],
  [
    'question',
    { title: 'a', content: '请联系客服。', question: '可以退货吗？' },
    { title: 'b', content: '不可以。', question: '可以退货吗？' },
  ],
  [
    'different question',
    { title: 'a', content: '可以。', question: '电子发票可以补开吗？' },
    { title: 'b', content: '不可以。', question: '电子发票可以更正抬头吗？' },
  ],
  ['exception', { title: 'a', content: '商品可以退货。' }, { title: 'b', content: '定制商品不可以退货。' }],
  [
    'different event dates',
    { title: 'a', content: '国庆活动 2025年10月1日 开始。' },
    { title: 'b', content: '春节活动 2026年2月10日 开始。' },
  ],
  ['month day', { title: 'a', content: '退款 30 天内到账。' }, { title: 'b', content: '退款一个月内到账。' }],
  [
    'electronics',
    { title: 'a', content: '电子产品的退货期限是 15 天。' },
    { title: 'b', content: '服装的退货期限是 30 天。' },
  ],
  [
    'free/paid',
    { title: 'a', content: 'Standard delivery costs $5.' },
    { title: 'b', content: 'Express delivery costs $15.' },
  ],
  ['storage', { title: 'a', content: '聊天记录保存 6 个月。' }, { title: 'b', content: '通话录音保存 12 个月。' }],
  [
    'lifetime',
    { title: 'a', content: 'Delivery takes 2 days.', question: 'How long does delivery take to Beijing?' },
    { title: 'b', content: 'Delivery takes 8 days.', question: 'How long does delivery take to Tibet?' },
  ],
]

/** Of other lines of business, written before any of them had been tried. */
export const MORE_AGREEMENTS: [a: Case, b: Case][] = [
  [
    { title: '宽带', content: '光纤宽带的安装费为 100 元。' },
    { title: '电视', content: '有线电视的安装费为 50 元。' },
  ],
  [
    { title: 'Hotel', content: 'Check-in is from 15:00.' },
    { title: 'Hotel FAQ', content: 'Check-out is until 11:00.' },
  ],
  [
    { title: 'A', content: 'Breakfast costs $12.' },
    { title: 'B', content: 'Dinner costs $30.' },
  ],
  [
    { title: 'A', content: '金卡年费 300 元。' },
    { title: 'B', content: '白金卡年费 1000 元。' },
  ],
  [
    { title: 'A', content: '一年期贷款利率 3.5%。' },
    { title: 'B', content: '五年期贷款利率 4.2%。' },
  ],
  [
    { title: 'A', content: 'The free plan keeps backups for 7 days.' },
    { title: 'B', content: 'The business plan keeps backups for 90 days.' },
  ],
  [
    { title: 'A', content: 'Economy passengers may check in 20 kg.' },
    { title: 'B', content: 'Business passengers may check in 32 kg.' },
  ],
  [
    { title: 'A', content: 'Small pets are accepted in the cabin.' },
    { title: 'B', content: 'Large pets are not accepted in the cabin.' },
  ],
  [
    { title: 'A', content: 'Members can borrow DVDs.' },
    { title: 'B', content: 'Guests cannot borrow DVDs.' },
  ],
  [
    { title: 'A', content: '成人票 100 元。' },
    { title: 'B', content: '儿童票 50 元。' },
  ],
  [
    { title: 'A', content: '周末停车 10 元一小时。' },
    { title: 'B', content: '工作日停车 5 元一小时。' },
  ],
  [
    { title: 'A', content: '春季课程 2026年3月1日 开课。' },
    { title: 'B', content: '秋季课程 2026年9月1日 开课。' },
  ],
  [
    { title: 'A', content: 'The deposit is $200.' },
    { title: 'B', content: 'The deposit is 200 dollars.' },
  ],
  [
    { title: 'A', content: '退款三天到账。' },
    { title: 'B', content: '退款 72 小时到账。' },
  ],
  [
    { title: 'A', content: 'Open from 9 am.' },
    { title: 'B', content: 'Closed from 6 pm.' },
  ],
  [
    { title: 'A', content: 'Rooms can be cancelled free of charge until 24 hours before arrival.' },
    { title: 'B', content: 'Rooms cannot be cancelled within 24 hours before arrival.' },
  ],
  [
    { title: 'A', content: 'Unused tickets can be refunded.' },
    { title: 'B', content: 'Used tickets cannot be refunded.' },
  ],
  [
    { title: 'A', content: '已激活的会员卡不能退。' },
    { title: 'B', content: '未激活的会员卡可以退。' },
  ],
  [
    { title: 'A', content: '开具发票需要 3 天。' },
    { title: 'B', content: '开具证明需要 5 天。' },
  ],
  [
    { title: 'A', content: 'Our office in Berlin is open until 17:00.' },
    { title: 'B', content: 'Our office in Madrid is open until 19:00.' },
  ],
  [
    { title: 'A', content: '手机号每月可修改 1 次。' },
    { title: 'B', content: '昵称每月可修改 3 次。' },
  ],
  [
    { title: 'A', content: 'Passwords need at least 8 characters.' },
    { title: 'B', content: 'User names need at least 3 characters.' },
  ],
  [
    { title: 'A', content: 'Error E12 means the door is open; wait 2 minutes.' },
    { title: 'B', content: 'Error E13 means the tank is empty; wait 5 minutes.' },
  ],
  [
    { title: 'A', content: 'iOS 16 或更高版本可以使用。' },
    { title: 'B', content: 'Android 10 或更高版本可以使用。' },
  ],
  [
    { title: 'A', content: 'Delivery takes 3 to 5 days.' },
    { title: 'B', content: 'Delivery takes about 4 days.' },
  ],
  [
    { title: 'A', content: 'Refunds take 5 days.', question: 'How do I get a refund?' },
    { title: 'B', content: 'Exchanges take 10 days.', question: 'How do I get an exchange?' },
  ],
  [
    { title: 'A', content: '国内长途每分钟 0.2 元。' },
    { title: 'B', content: '国际长途每分钟 2 元。' },
  ],
  [
    { title: 'A', content: 'The battery lasts 10 hours with noise cancelling.' },
    { title: 'B', content: 'The battery lasts 18 hours without noise cancelling.' },
  ],
  [
    { title: 'A', content: 'Standard rooms sleep 2 guests.' },
    { title: 'B', content: 'Family rooms sleep 4 guests.' },
  ],
  [
    { title: 'A', content: 'You can pay by card.' },
    { title: 'B', content: 'You cannot pay by cheque.' },
  ],
]
