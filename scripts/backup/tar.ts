/**
 * Archives of plain files and folders in the format that every `tar` reads.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 ("ustar Interchange Format")
 */
export interface TarEntry {
  /** Relative, with `/`. */
  path: string
  type: 'file' | 'folder'
  /** Bytes of the content; 0 for a folder. */
  size: number
}

const BLOCK = 512
const MAX_SIZE = 8 ** 11 - 1

/** The header block of an entry. Throws for what the format cannot hold: long paths and files of 8 GiB or more. */
export function tarHeader({ path, type, size }: TarEntry): Buffer {
  const { name, prefix } = splitPath(type === 'folder' ? `${path}/` : path)
  if (size > MAX_SIZE) throw new Error(`${path} is too large for an archive`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100, 'utf8')
  header.write(octal(type === 'folder' ? 0o700 : 0o600, 8), 100)
  header.write(octal(0, 8) + octal(0, 8), 108)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  header.write(type === 'folder' ? '5' : '0', 156)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345, 155, 'utf8')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\u0000 `, 148)
  return header
}

/** The zeros that follow a content of `size` bytes. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

export const tarEnd: Buffer = Buffer.alloc(2 * BLOCK)

/**
 * Reads an archive from `bytes`, calling `take` for one entry after the other; `take` reads the content, or leaves it.
 * Refuses what our own archives never hold, so that a foreign one reaches no file beside those it names: links,
 * devices, absolute paths and `..`. Throws when the archive is cut off or damaged.
 */
export async function readTar(
  bytes: AsyncIterable<Buffer>,
  take: (entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const source = createByteSource(bytes)
  try {
    for (;;) {
      const header = await source.exactly(BLOCK)
      if (header.every((byte) => byte === 0)) return
      const entry = parseHeader(header)
      const content = source.upTo(entry.size)
      await take(entry, content)
      for await (const _ of content);
      await source.exactly(tarPadding(entry.size).length)
    }
  } finally {
    await source.close()
  }
}

function parseHeader(header: Buffer): TarEntry {
  const field = (start: number, length: number): string => {
    const bytes = header.subarray(start, start + length)
    const end = bytes.indexOf(0)
    return bytes.toString('utf8', 0, end === -1 ? length : end)
  }
  const expected = Number.parseInt(field(148, 8).trim(), 8)
  if (field(257, 5) !== 'ustar' || expected !== checksumOf(header)) throw new Error('The archive is damaged')
  const kind = field(156, 1)
  const prefix = field(345, 155)
  const path = (prefix === '' ? '' : `${prefix}/`) + field(0, 100)
  const size = Number.parseInt(field(124, 12).trim(), 8)
  if (kind === '5' && path.endsWith('/') && size === 0) return { path: safe(path.slice(0, -1)), type: 'folder', size }
  if (kind === '0' && Number.isSafeInteger(size)) return { path: safe(path), type: 'file', size }
  throw new Error(`The archive holds something that is neither a file nor a folder: ${JSON.stringify(path)}`)
}

function safe(path: string): string {
  const isSafe = path.split('/').every((segment) => /^[\w.-]+$/.test(segment) && segment !== '.' && segment !== '..')
  if (!isSafe) throw new Error(`The archive holds a path that no backup has: ${JSON.stringify(path)}`)
  return path
}

function splitPath(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  const slash = path.indexOf('/', path.length - 101)
  const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash < 0 || name === '' || Buffer.byteLength(name) > 100 || Buffer.byteLength(prefix) > 155)
    throw new Error(`${path} is too long for an archive`)
  return { name, prefix }
}

/** With spaces in place of the sum itself. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}

function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\u0000`
}

function createByteSource(bytes: AsyncIterable<Buffer>) {
  const iterator = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function next(maxLength: number): Promise<Buffer> {
    while (rest.length === 0) {
      const step = await iterator.next()
      if (step.done) throw new Error('The archive is cut off')
      rest = step.value
    }
    const taken = rest.subarray(0, maxLength)
    rest = rest.subarray(taken.length)
    return taken
  }

  return {
    async exactly(length: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for (let missing = length; missing > 0; missing -= (parts.at(-1) as Buffer).length)
        parts.push(await next(missing))
      return Buffer.concat(parts)
    },
    /** May be left early and gone on with. */
    upTo(length: number): AsyncIterable<Buffer> {
      let missing = length
      const step = async (): Promise<IteratorResult<Buffer>> => {
        if (missing === 0) return { done: true, value: undefined }
        const value = await next(missing)
        missing -= value.length
        return { done: false, value }
      }
      return { [Symbol.asyncIterator]: () => ({ next: step }) }
    },
    close: async () => void (await iterator.return?.()),
  }
}
