/** Words that say that something is wanted, not what. They are stemmed like every other term. */
const REQUEST_WORDS =
  `need want wanna like love look wish hope tri try help assist can could would should may might please kind kindli
  thank hello hi hey dear good morn afternoon even day there yes yeah ok sorri excus get got getting let know tell ask inform
  realli just actual veri much mani also now today soon asap urgent desper immedi possibl able abl possibl go going gonna plan_to
  one way thing someth anyth someon somebodi anyon
  custom year long time moment guy team sir madam
  question_about issue_with name full phone number_is email address_is contact live street state citi
  mr mrs ms ive im id youd ill well make sure wonder wonderful great awesom best better bad tough rough nice lovely fine beautiful
  need_to want_to help_me`
    .split(/\s+/)
    .filter((word) => word !== '')

const CHINESE_REQUEST_WORDS =
  '请问 问 想 要 需要 希望 麻烦 帮 帮忙 帮我 一下 可以 能 能不能 怎么 怎样 如何 什么 为什么 你好 您好 谢谢 客服 现在 今天 已经 还是 一直 就是 这个 那个 我们 你们 知道 看看 处理 急 亲 有没有 是不是 吗 呢 吧 啊 了'.split(
    ' ',
  )

export const GENERIC_TERMS: ReadonlySet<string> = new Set([...REQUEST_WORDS, ...CHINESE_REQUEST_WORDS])
