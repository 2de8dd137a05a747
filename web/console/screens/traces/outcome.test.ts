import { afterEach, expect, it } from 'vitest'
import { language } from '../../../shared/words.ts'
import { outcomeOf } from './outcome.ts'

afterEach(() => {
  language.value = 'en'
})

it.each([
  ['understand', 'product zh', 'Product · Chinese', '商品 · 中文'],
  ['route', 'knowledge: Is it blue?', 'Knowledge base: Is it blue?', '知识库: Is it blue?'],
  ['cache', 'bypass', 'cache not used', '未使用缓存'],
  [
    'answer',
    'knowledge: sure\nbusiness: asks',
    'Knowledge base: sure\nShop systems: asks back',
    '知识库: 确定\n业务系统: 反问',
  ],
  [
    'decide',
    'no handoff, 2 failed attempts',
    'No person is needed. Attempts that failed before: 2',
    '无需人工。此前失败次数：2',
  ],
  [
    'render',
    'extractive, 1200 characters',
    'In the words of the documents, 1,200 characters',
    '文档原文，1,200 个字符',
  ],
  ['candidates', '3 lexical, 2 vector', '3 by words, 2 by meaning', '词语找到 3 个，语义找到 2 个'],
  ['ranking', '5 judged, best 0.912 0.300', '5 judged. Best scores: 0.91 · 0.30', '评判 5 个，最高得分：0.91 · 0.30'],
])('says what came of %s', (name, output, english, chinese) => {
  language.value = 'en'
  expect(outcomeOf({ name, output })).toBe(english)
  language.value = 'zh'
  expect(outcomeOf({ name, output })).toBe(chinese)
})

it.each([
  ['decide', 'The customer asked for a person'],
  ['get_order', 'product zh'],
  ['store', 'msg_1'],
  ['understand', ''],
])('leaves other texts of %s as they are', (name, output) => {
  expect(outcomeOf({ name, output })).toBe(output)
})
