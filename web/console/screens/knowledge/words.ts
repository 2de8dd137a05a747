import { dictionary } from '../../../shared/words.ts'
import { EN } from './words-en.ts'
import { ZH } from './words-zh.ts'

export const say = dictionary(EN, ZH)
