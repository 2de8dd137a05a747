import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import { runChecklist } from './checklist.ts'

describe('the release checklist', () => {
  it('runs every check by itself, each within its time, and shows no inside', async () => {
    let isAborted = false
    const report = await runChecklist(
      [
        { name: 'fine', run: () => {} },
        { name: 'fine later', run: async () => {} },
        {
          name: 'wrong',
          run() {
            throw new AppError('conflict', 'x', 'It is wrong', { zh: '不对' })
          },
        },
        { name: 'refused', run: () => Promise.reject(new AppError('unavailable', 'x', 'It is away')) },
        { name: 'broken', run: () => Promise.reject(new Error('password is hunter2')) },
        {
          name: 'hanging',
          run: (signal) =>
            new Promise(() => {
              signal.addEventListener('abort', () => {
                isAborted = true
              })
            }),
        },
      ],
      20,
    )
    expect(report).toEqual({
      total: 6,
      passed: 2,
      failed: 4,
      checks: [
        { name: 'fine', status: 'passed' },
        { name: 'fine later', status: 'passed' },
        { name: 'wrong', status: 'failed', error: 'It is wrong', words: { en: 'It is wrong', zh: '不对' } },
        { name: 'refused', status: 'failed', error: 'It is away', words: { en: 'It is away', zh: 'It is away' } },
        {
          name: 'broken',
          status: 'failed',
          error: 'The check itself failed',
          words: { en: 'The check itself failed', zh: '检查本身出错' },
        },
        {
          name: 'hanging',
          status: 'failed',
          error: 'The check took longer than 0.02 s',
          words: { en: 'The check took longer than 0.02 s', zh: '检查超过 0.02 秒仍未完成' },
        },
      ],
    })
    expect(isAborted).toBe(true)
  })
})
