import { dictionary } from '../../shared/words.ts'

export const say = dictionary(
  {
    rest: 'about {time} more',
    failed: 'It failed.',
    interrupted: 'It was interrupted, as the service stopped.',
    cancelled: 'Cancelled',
  },
  {
    rest: '约剩 {time}',
    failed: '执行失败。',
    interrupted: '服务停止，任务被中断。',
    cancelled: '已取消',
  },
)
