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
export function foldHomophones(folded: string): string {
  let result = ''
  for (const unit of folded) result += REPRESENTATIVE.get(unit) ?? unit
  return result
}
