import { expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { asksForMore } from './more.ts'

it.each([
  'more',
  'more please',
  'show me the rest',
  'yes, continue',
  'go on',
  '继续',
  '还有呢？',
  '好的，继续',
  '接着说',
  '下一页',
])('hears a wish for the rest in %j', (text) => {
  expect(asksForMore(fold(text))).toBe(true)
})

it.each([
  'more than two people?',
  'continue my subscription',
  '继续使用要付钱吗',
  '还有别的颜色吗',
  'what else can I return?',
  '',
])('hears none in %j', (text) => {
  expect(asksForMore(fold(text))).toBe(false)
})
