// Words of feeling with a strength from -1 to 1. Names of faults (broken, late, refund) are left out or weak on purpose: a
// customer who reports one calmly is calm. English words stand in every form that people write.
export const ENGLISH_FEELINGS: ReadonlyMap<string, number> = weigh({
  '-0.9':
    'furious outraged livid enraged infuriated infuriating outrageous hate hated despise disgusting disgusted scum fuck fucking fucked fuckin bullshit asshole bastard bastards crooks crook thieves',
  '-0.75':
    'terrible horrible awful worst angry mad pathetic disgrace disgraceful unacceptable appalling atrocious shameful scam scammer scammers scammed fraud liar liars lied idiot idiots stupid garbage trash crap shit damn sucks suck incompetent ridiculous robbery scandal shame cheated rubbish wtf',
  '-0.5':
    'disappointed disappointing disappointment frustrated frustrating frustration annoyed annoying upset unhappy dissatisfied useless nonsense rude poor bad worse lousy joke mess fooled misled unprofessional impolite insulting insulted ignored regret complain complaint complaints nightmare junk unbelievable unfair cheat fed',
  '-0.25':
    'sad worried worry unfortunately confused confusing tired slow dirty problem problems concerned anxious wrong nobody fail failed fails lost uncomfortable waste wasted wasting',
  '0.2': 'thanks thank ok okay fine kind appreciate appreciated helpful',
  '0.45': 'good nice glad happy pleased satisfied cool like liked enjoy enjoyed helped works cheers lovely smart great',
  '0.7':
    'excellent awesome perfect wonderful fantastic amazing brilliant superb love loved best delighted thrilled grateful outstanding',
})

export const ENGLISH_PHRASES: ReadonlyMap<string, number> = weigh({
  '-0.75':
    'sick of|fed up|had enough|had it with|done with you|never again|rip off|ripped off|waste of time|waste of money|how dare you|piece of junk|last straw|zero stars|shame on you|worst ever|going to sue|take you to court|fool me|drives me crazy|driving me crazy|pissed off|lost my patience|out of patience',
  '-0.5':
    "not acceptable|let down|hung up on me|no one cares|nobody cares|no one answers|nobody answers|no one replies|nobody replies|still nothing|still waiting|how many times|third time|again and again|wasting my time|bad mood|no reply|no response|not even|don't care|do not care|not happy|not satisfied|not impressed",
  '0.5':
    'well done|good job|big help|great help|made my day|life saver|lifesaver|thank you so much|thanks a lot|not bad|nice work|much better',
  '0': 'no problem|no worries|mad about|like to|would like|like the|look like|looks like|feel like|good morning|good afternoon|good evening|good night|good day|best before|what is wrong|best seller|kind of|what kind|as good as|is it good|good for|works with|is it ok|which is best|the best|fraud protection|complaint form|how to complain',
})

/** Chinese terms; the longest that matches at a place counts. A term of strength 0 shields a neutral use. */
export const CHINESE_FEELINGS: ReadonlyMap<string, number> = weigh({
  '-0.9':
    '气死 气炸 愤怒 忍无可忍 滚 他妈 妈的 操你 去死 王八蛋 混蛋 傻逼 傻b 煞笔 诈骗 欺诈 无耻 不要脸 黑店 火冒三丈 恶心死 强盗 忍不了',
  '-0.75':
    '垃圾 骗子 骗人 骗钱 欺骗 太差 恶劣 恶心 坑人 太坑 坑爹 奸商 生气 火大 恼火 愤慨 欺客 受够 过分 离谱 差劲 烂透 忽悠 什么态度 什么玩意 什么破 破玩意 破东西 再也不 被骗 上当 一群骗 气人 太气 起诉 曝光 素质低 傻子 拉胯 岂有此理 不可理喻',
  '-0.5':
    '投诉 失望 不满 无语 差评 不负责 敷衍 推卸 踢皮球 没人管 没人理 没人接 没人回 没人处理 不耐烦 太慢 太烂 很烂 糟糕 烦死 好烦 烦人 后悔 浪费 差的 很差 真差 服了 坑 讨厌 举报 催了 还没解决 没解决 乱七八糟 一塌糊涂 不专业 蠢 没用 太让人 凭什么 受不了 欺负 糊弄 答非所问 晾着 害我 可恶 说话不算',
  '-0.25': '着急 到底 急死 担心 郁闷 难受 难过 麻烦死 慢 怎么还 坏了 破损 不好用 不行 问题多 不高兴 不开心 好几次 等了',
  '0.2': '谢谢 多谢 感谢 辛苦 麻烦你 请问 好的 可以的',
  '0.45':
    '不错 挺好 很好 满意 喜欢 开心 高兴 好用 方便 靠谱 给力 贴心 好棒 真好 赞 好评 厉害 好喜欢 温馨 专业 太感谢 非常感谢',
  '0.7':
    '太好了 太棒 完美 超赞 超级棒 非常满意 特别满意 很满意 太满意 爱了 惊喜 优秀 感激 点赞 真棒 五星好评 超喜欢 太喜欢',
  '0': '没问题 不好意思 问题不大 慢慢 慢点 坑位 专业版 专业级 方便面 喜欢什么 更方便 方便吗 请问哪 到底部 好用吗 好不好用 滚筒 滚动 滚轮 靠谱吗 坏了吗 开心果 慢充 慢跑 垃圾桶 垃圾袋 垃圾箱 垃圾邮件 垃圾短信 垃圾处理 生气勃勃 曝光度 曝光时间 曝光补偿',
})

export const INTENSIFIERS: ReadonlySet<string> = new Set(
  'very really so extremely absolutely totally completely incredibly super too utterly truly such fucking damn highly beyond'.split(
    ' ',
  ),
)
export const DIMINISHERS: ReadonlySet<string> = new Set('slightly somewhat bit little quite fairly kinda'.split(' '))
export const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never don't dont doesn't doesnt didn't didnt isn't isnt wasn't wasnt aren't aint ain't can't cannot won't without hardly nothing".split(
    ' ',
  ),
)
export const CHINESE_INTENSIFIERS = /[太很真超极最非特]|非常|特别|极其|十分|简直|实在|相当|超级/
export const CHINESE_NEGATIONS = /不(?!仅|但|止|愧|得不|过)|没(?!想到)|(?<![特区级分])别(?!人)|[无未]/

export const EMOJI_FEELINGS: ReadonlyMap<string, number> = weigh({
  '-0.9': '😡 🤬 🖕 💢',
  '-0.7': '😠 😤 👿 🤮 👎 💩',
  '-0.4': '😞 😔 😢 😭 😩 😫 😒 🙄 😣 😖 ☹ 🙁 😟 😑',
  '0.3': '🙂 😉 🙏 👌 😅',
  '0.6': '😊 😀 😃 😄 😁 👍 😂 🤗 🎉 👏 🌹 🥳 😆',
  '0.8': '❤ 😍 🥰 💖 💯 😘 🤩',
})

function weigh(groups: Readonly<Record<string, string>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(groups).flatMap(([strength, words]) =>
      words.split(words.includes('|') ? '|' : ' ').map((word) => [word, Number(strength)] as const),
    ),
  )
}
