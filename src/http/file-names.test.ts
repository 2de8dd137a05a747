import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { watchFileNames } from './file-names.ts'

/** 退货.md in GB18030, and as a decoder of UTF-8 would show it. */
const BYTES = Buffer.from([0xcd, 0xcb, 0xbb, 0xf5, 0x2e, 0x6d, 0x64])
const SEEN = BYTES.toString('utf8')

function form(name: Buffer, before = ''): Buffer {
  const start = `${before}--x\r\ncontent-disposition: form-data; name="file"; filename="`
  return Buffer.concat([Buffer.from(start), name, Buffer.from('"\r\n\r\ncontent\r\n--x--\r\n')])
}

async function restored(body: Buffer, chunkSize: number, decoded = SEEN): Promise<string> {
  const stream = new PassThrough()
  const original = watchFileNames(stream)
  for (let start = 0; start < body.length; start += chunkSize) stream.write(body.subarray(start, start + chunkSize))
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  return original(decoded)
}

describe('watchFileNames', () => {
  it('finds a name wherever the body is cut', async () => {
    const body = form(BYTES)
    for (let size = 1; size <= body.length; size++)
      expect(await restored(body, size), `chunks of ${size}`).toBe('退货.md')
  })

  it('finds it behind fields that look like one', async () => {
    expect(await restored(form(BYTES, 'filename="a" filename="'.repeat(10)), 7)).toBe('退货.md')
  })

  it('lets a name be that needs no help', async () => {
    expect(await restored(form(BYTES), 100, '退货.md')).toBe('退货.md')
  })

  it('gives up on bytes that are neither UTF-8 nor GB18030, and on a name that it did not see', async () => {
    const broken = Buffer.from([0xff, 0xff, 0x2e, 0x6d, 0x64])
    expect(await restored(form(broken), 100, broken.toString('utf8'))).toBe(broken.toString('utf8'))
    expect(await restored(form(Buffer.from('other.md')), 100)).toBe(SEEN)
  })
})
