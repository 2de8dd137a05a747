import { describe, expect, it } from 'vitest'
import { AppError } from './errors.ts'
import { untilAvailable } from './retry.ts'

const away = () => new AppError('unavailable', 'away', 'Away')

describe('untilAvailable', () => {
  it('tries again while the source is away', async () => {
    let tries = 0
    const read = async (): Promise<number> => {
      tries++
      if (tries < 4) throw away()
      return tries
    }
    expect(await untilAvailable(read, new AbortController().signal, 1)).toBe(4)
  })

  it('passes any other failure on at once', async () => {
    const wrong = new Error('wrong')
    let tries = 0
    const read = async (): Promise<never> => {
      tries++
      throw wrong
    }
    await expect(untilAvailable(read, new AbortController().signal, 1)).rejects.toBe(wrong)
    expect(tries).toBe(1)
  })

  it('gives up when nobody waits any more', async () => {
    const leaving = new AbortController()
    const waiting = untilAvailable(() => Promise.reject(away()), leaving.signal, 60_000)
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'away' })
  })
})
