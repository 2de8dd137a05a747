import { describe, expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { chitchatKindOf } from './chitchat.ts'

describe('chitchatKindOf', () => {
  it.each([
    ['Hi!', 'greeting'],
    ['你好，在吗？', 'greeting'],
    ['thank you so much 😊', 'thanks'],
    ['Hi, thanks', 'thanks'],
    ['好的，谢谢', 'thanks'],
    ['ok thanks bye', 'goodbye'],
    ['What’s your name?', 'identity'],
    ['你是机器人吗', 'identity'],
    ['好的', 'acknowledgement'],
    ['算了，不用了', 'acknowledgement'],
    ['Never mind, thanks', 'thanks'],
    ['never mind', 'acknowledgement'],
    ['不好意思', 'apology'],
    ['哈哈哈哈', 'small_talk'],
  ])('%s is a %s', (text, kind) => {
    expect(chitchatKindOf(fold(text))).toBe(kind)
  })

  it.each(['hi where is my order', '你好，怎么退货', 'history', 'okra seeds', '', '!!!'])('%s is none', (text) => {
    expect(chitchatKindOf(fold(text))).toBeNull()
  })
})
