import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDocument } from '../../src/features/knowledge/formats/parse-document.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { docxOf, pptxOf, wordParagraph, xlsxOf } from '../support/files/office.ts'
import { type ZipEntry, zipOf } from '../support/files/zip.ts'
import { type StubServer, startStubServer } from '../support/stub-server.ts'

/** Documents that want a parser to read a file, ask an address, or grow: in every XML part of every format. */

const SECRET = 'what-stands-in-the-file-8c41'
const GROWN = 'grown-text '
/** What an honest document holds beside it may be long; a bomb's text is longer. */
const MAX_TEXT = 200_000

let folder: string
let server: StubServer
const fetched: string[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-entities-'))
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  server = await startStubServer(({ url }) => {
    fetched.push(url.pathname)
    return { body: `<!ENTITY e "${SECRET}">` }
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
/** A document type, and what in the text refers to it. */
const PAYLOADS: [string, (file: string, origin: string) => string, string][] = [
  ['a local file', (file) => `<!DOCTYPE x [<!ENTITY e SYSTEM "${file}">]>`, '&e;'],
  ['a local file by its path', () => `<!DOCTYPE x [<!ENTITY e SYSTEM "${folder}/secret.txt">]>`, '&e;'],
  ['a public name', (file) => `<!DOCTYPE x [<!ENTITY e PUBLIC "-//A//B" "${file}">]>`, '&e;'],
  ['an address', (_, origin) => `<!DOCTYPE x [<!ENTITY e SYSTEM "${origin}/entity">]>`, '&e;'],
  ['an address as a parameter', (_, origin) => `<!DOCTYPE x [<!ENTITY % p SYSTEM "${origin}/parameter"> %p;]>`, '&e;'],
  ['a document type elsewhere', (_, origin) => `<!DOCTYPE x SYSTEM "${origin}/type">`, '&e;'],
  [
    'an address made of a file',
    (file, origin) => {
      return `<!DOCTYPE x [<!ENTITY % f SYSTEM "${file}"><!ENTITY % m "<!ENTITY &#37; s SYSTEM '${origin}/%f;'>"> %m; %s;]>`
    },
    '',
  ],
  ['a billion laughs', () => `<!DOCTYPE x [<!ENTITY l0 "${GROWN}">${laughs}]>`, '&l9;'],
  ['one long entity, often', () => `<!DOCTYPE x [<!ENTITY e "${GROWN.repeat(2_000)}">]>`, '&e;'.repeat(2_000)],
  ['an entity that holds itself', () => `<!DOCTYPE x [<!ENTITY e "&f;"><!ENTITY f "&e;">]>`, '&e;'],
  [
    'a file that is included',
    (file) => `<!--x--><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${file}" parse="text"/>`,
    '',
  ],
]

/** The entries of what `zipOf` wrote. */
function entriesOf(archive: Uint8Array): { name: string; data: string }[] {
  const bytes = Buffer.from(archive)
  const entries: { name: string; data: string }[] = []
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [size, nameLength] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)]
    const body = at + 30 + nameLength
    const name = bytes.toString('utf8', at + 30, body)
    entries.push({ name, data: inflateRawSync(bytes.subarray(body, body + size)).toString('utf8') })
    at = body + size
  }
  return entries
}

const poisoned = (xml: string, prolog: string, reference: string): string =>
  xml.replace(/^(<\?xml[^>]*\?>)?/, (declaration) => declaration + prolog).replace(/<\/[^>]+>\s*$/, `${reference}$&`)

const OFFICE: [string, Uint8Array][] = [
  ['a.docx', docxOf(wordParagraph('An honest text.'), { title: 'Honest' })],
  [
    'a.xlsx',
    xlsxOf([
      {
        name: 'S',
        rows: [
          ['question', 'answer'],
          ['Honest?', 'Yes'],
        ],
      },
    ]),
  ],
  ['a.pptx', pptxOf([{ title: 'Honest', bullets: [{ text: 'yes' }], notes: 'note' }])],
]
const PLAIN: [string, (prolog: string, reference: string) => string][] = [
  ['a.html', (prolog, reference) => `${prolog}<html><body><p>Honest ${reference}</p></body></html>`],
  [
    'a.xhtml',
    (prolog, reference) => `<?xml version="1.0"?>${prolog}<html><body><p>Honest ${reference}</p></body></html>`,
  ],
  [
    'b.html',
    (prolog, reference) => `<html><body><p>Honest</p><svg>${prolog}<text>${reference}</text></svg></body></html>`,
  ],
  [
    'a.svg',
    (prolog, reference) =>
      `<?xml version="1.0"?>${prolog}<svg xmlns="http://www.w3.org/2000/svg"><text>${reference}</text></svg>`,
  ],
  ['a.xml', (prolog, reference) => `<?xml version="1.0"?>${prolog}<x>${reference}</x>`],
  ['a.md', (prolog, reference) => `# Honest\n\n${prolog}\n\n${reference}\n`],
  ['a.txt', (prolog, reference) => `${prolog}${reference}`],
  [
    'a.eml',
    (prolog, reference) =>
      `From: a@example.com\r\nSubject: Hi\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${prolog}<p>Honest ${reference}</p>`,
  ],
]

/** Reads the file, and complains of what must not have happened. */
async function complaints(fileName: string, bytes: Uint8Array, given: number): Promise<string[]> {
  fetched.length = 0
  let text = ''
  try {
    text = JSON.stringify(await parseDocument({ fileName, bytes }))
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'bad_request') return [`${fileName}: threw ${error}`]
    text = error.message
  }
  return [
    ...(text.includes(SECRET) ? [`${fileName}: told the file`] : []),
    ...(text.length > given + MAX_TEXT ? [`${fileName}: grew to ${text.length}`] : []),
    ...(fetched.length > 0 ? [`${fileName}: asked ${fetched}`] : []),
  ]
}

describe.each(PAYLOADS)('%s', (_, prologOf, reference) => {
  const prolog = () => prologOf(pathToFileURL(join(folder, 'secret.txt')).href, server.origin)

  it.each(OFFICE)('is not followed in any part of %s', async (fileName, archive) => {
    const entries = entriesOf(archive)
    expect(entries.length).toBeGreaterThan(3)
    const found: string[] = []
    for (const { name } of entries) {
      const changed: ZipEntry[] = entries.map((entry) =>
        entry.name === name ? { name, data: poisoned(entry.data, prolog(), reference) } : entry,
      )
      found.push(...(await complaints(fileName, zipOf(changed), 0)).map((complaint) => `${name} of ${complaint}`))
    }
    expect(found).toEqual([])
  })

  it('is not followed in texts and pages', async () => {
    const found: string[] = []
    for (const [fileName, make] of PLAIN) {
      const text = make(prolog(), reference)
      found.push(...(await complaints(fileName, Buffer.from(text), 4 * text.length)))
    }
    expect(found).toEqual([])
  })
})

it('an honest archive of each kind is read, so that the others were refused for what was put in', async () => {
  for (const [fileName, archive] of OFFICE) {
    const { blocks } = await parseDocument({ fileName, bytes: zipOf(entriesOf(archive)) })
    expect(JSON.stringify(blocks)).toContain('onest')
  }
})
