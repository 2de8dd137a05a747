import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

type Encoding = 'br' | 'gzip' | 'identity'

export interface PageFile {
  type: string
  etag: string
  /** The same bytes in every encoding that there is. */
  content: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

/** Every file of the pages by its path below `/`, `index.html` among them; empty: nothing was built. */
export type Pages = ReadonlyMap<string, PageFile>

const PLAIN = 'text/plain; charset=utf-8'
const SHOWN = new Set(['index.html', 'demo/index.html', 'demo/help.html'])
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  // Documents of the sample shop, which the console loads for whoever wants to try it.
  '.md': PLAIN,
  '.txt': PLAIN,
  '.csv': PLAIN,
}

/** Reads what was built into `folder`. */
export async function loadPages(folder: string): Promise<Pages> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const known = new Set(names)
  const files = names.filter((name) => TYPES[extname(name)])
  const entries = files.map(async (name): Promise<[string, PageFile]> => {
    const [identity, br, gzip] = await Promise.all([
      readFile(join(folder, name)),
      known.has(`${name}.br`) ? readFile(join(folder, `${name}.br`)) : undefined,
      known.has(`${name}.gz`) ? readFile(join(folder, `${name}.gz`)) : undefined,
    ])
    const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
    const content = { identity, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) }
    const path = name.replaceAll('\\', '/')
    // These pages alone are shown; any other is a document.
    const type = path.endsWith('.html') && !SHOWN.has(path) ? PLAIN : TYPES[extname(name)]
    return [path, { type: type ?? '', etag, content }]
  })
  return new Map(await Promise.all(entries))
}

/** The smallest form of a file that a browser takes, by its `Accept-Encoding`. */
export function chooseEncoding(file: PageFile, accepted: string | undefined): Encoding {
  const refused = /^\s*0(?:\.0*)?$/
  const names = new Set<string>()
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', quality] = part.split(';q=')
    if (quality === undefined || !refused.test(quality)) names.add(name.trim())
  }
  for (const encoding of ['br', 'gzip'] as const) if (names.has(encoding) && file.content[encoding]) return encoding
  return 'identity'
}
