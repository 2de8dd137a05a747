import { stem } from './stem.ts'

/** Words that a question is full of and that no answer is found by. They stay in the index (a phrase may need them) and leave the query. */
const ENGLISH = `a an and are as at be been being but by can could did do does doing for from had has have having he her hers him his
i if in into is it its me my of on or our ours she should so some such than that the their theirs them then there these they this those
to too us was we were will with would you your yours am any just may might must shall what which who whom whose when where why how
please hi hello hey tell know want need like get im ive dont doesnt didnt cant wont isnt arent youre thats whats
about else youve theyre wasnt werent hasnt havent pls plz thanks thank thx ok okay sorry wondering wonder`

const CHINESE = `的 了 吗 呢 吧 啊 呀 嘛 么 在 是 有 和 与 及 或 也 都 就 还 又 把 被 让 给 对 从 到 向 往 于 以 为 之 其 这 那 哪 个 些 我 你 您 他 她 它 们
我们 你们 您们 他们 她们 它们 自己 这个 那个 哪个 这些 那些 哪些 这里 那里 哪里 这样 那样 怎样 什么 怎么 怎么样 怎么办 为什么 如何 是否 是不是 有没有
能不能 可不可以 可以 能 会 要 想 请 请问 一下 一个 一些 如果 因为 所以 但是 而且 并且 或者 以及 时 时候 后 前 里 上 下 中 很 太 更 最 不 没 没有 多少 几 谁 啥 咋
意思 想问 想问问 问问 问 问下 请教 想知道 知道 麻烦 谢谢 你好 您好 帮我 帮 帮忙 告诉 想要 那么 这么 到底 究竟 还是 咋办 咋样 为啥 怎样才能 怎么弄 算 弄 搞 看 看下 看看 查一下 呗 哦 哈`

/** Both as written and as the analyser stems them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `${ENGLISH} ${CHINESE}`.split(/\s+/).flatMap((word) => [word, stem(word)]),
)

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
