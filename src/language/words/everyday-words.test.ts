import { describe, expect, it } from 'vitest'
import { EVERYDAY_WORDS } from './everyday-words.ts'
import { stem } from './stem.ts'

describe('EVERYDAY_WORDS', () => {
  it('takes weight from what questions of every subject are made of', () => {
    for (const word of ['back', 'still', 'keep', 'put', '用', '说', '弄']) {
      expect(EVERYDAY_WORDS.get(stem(word)), word).toBeLessThan(0.9)
    }
  })

  it('leaves the words alone that tell subjects apart', () => {
    for (const word of ['customs', 'warranty', 'password', '发票', '密码', '保修']) {
      expect(EVERYDAY_WORDS.has(stem(word)), word).toBe(false)
    }
  })

  it('gives shares of a weight', () => {
    for (const [word, share] of EVERYDAY_WORDS) {
      expect(share, word).toBeGreaterThan(0)
      expect(share, word).toBeLessThanOrEqual(1)
    }
  })
})
