import { dictionary } from '../../shared/words.ts'

export const say = dictionary(
  { conversations: 'Conversations behind it', none: 'None' },
  { conversations: '相关会话', none: '无' },
)
