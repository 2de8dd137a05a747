import { truncateToTokens } from '../../src/ai/model/tokens.ts'
import { withoutSecrets } from '../../src/ai/outbound.ts'
import { splitTextByBytes } from '../../src/features/channels/split-text.ts'
import { parseXmlFields } from '../../src/features/channels/wechat/xml.ts'
import { questionKey } from '../../src/features/chat/cache/question-key.ts'
import { loadUnderstand } from '../../src/features/chat/index.ts'
import { collectEvidence } from '../../src/features/chat/reply/evidence.ts'
import { createGuard } from '../../src/features/chat/reply/guard.ts'
import { rewriteFollowUp } from '../../src/features/chat/understanding/rewriting.ts'
import { parseDocument } from '../../src/features/knowledge/formats/parse-document.ts'
import { chunkDocument } from '../../src/features/knowledge/ingest/chunking/chunk-document.ts'
import { findQuantities } from '../../src/features/knowledge/quality/quantities.ts'
import { cleanTicket } from '../../src/features/mining/reading/cleaning.ts'
import { keySentences } from '../../src/language/key-sentences.ts'
import { readOrderTalk } from '../../src/language/order-talk.ts'
import { splitSentences } from '../../src/language/sentences.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'
import { findPersonal, findReferences, maskRecord, maskText } from '../../src/privacy/index.ts'

/** Whatever reads text that people, documents, models or other systems wrote. Refusals are fine; slowness is not. */
export type Reader = (text: string) => unknown

export async function readersOfText(): Promise<Record<string, Reader>> {
  const understand = await loadUnderstand()
  const analyser = createAnalyser()
  const parsed = (fileName: string): Reader => {
    return async (text) => chunkDocument(await parseDocument({ bytes: Buffer.from(text), fileName }))
  }
  const guarded: Reader = (text) => {
    const guard = createGuard({
      evidence: collectEvidence([text]),
      citing: { exists: (passage) => passage >= 1 && passage <= 3, numberOf: (passage) => passage },
      secret: 'the instructions of this service',
    })
    return guard.push(text) + guard.end()
  }
  return {
    understand,
    rewriteFollowUp: (text) => rewriteFollowUp(text, ['How long do I have to return an item?']),
    maskText,
    findPersonal,
    maskRecord: (text) => maskRecord({ note: text, address: text }),
    findReferences,
    readOrderTalk: (text) => readOrderTalk(text, findReferences(text)),
    guard: guarded,
    'analyser.words': (text) => analyser.words(text),
    splitSentences,
    truncateToTokens: (text) => truncateToTokens(text, 1e9),
    withoutSecrets: (text) => withoutSecrets(text, ['a secret']),
    keySentences: (text) => keySentences(splitSentences(text).slice(0, 50), 3),
    splitTextByBytes: (text) => splitTextByBytes(text, 2_048),
    parseXmlFields: (text) => parseXmlFields(`<xml><Content><![CDATA[${text}]]></Content></xml>`),
    'parseXmlFields, bare': (text) => parseXmlFields(`<xml>${text}</xml>`),
    findQuantities,
    cleanTicket: (text) => cleanTicket(text.slice(0, 500), text),
    questionKey: (text) => questionKey(text, analyser),
    ...Object.fromEntries(
      ['a.md', 'a.txt', 'a.html', 'a.csv', 'a.json', 'a.jsonl', 'a.eml'].map((name) => [
        `document ${name}`,
        parsed(name),
      ]),
    ),
  }
}

/** Pieces that, repeated, have made readers of text slow. */
const HOSTILE_PIECES: readonly string[] = [
  ...[
    'a',
    ' ',
    '\n',
    '1',
    '一',
    '@',
    '.',
    '-',
    '"',
    ',',
    '，',
    '。',
    '(',
    '[',
    '{',
    '<',
    '&',
    '*',
    '_',
    '`',
    '#',
    '|',
    '>',
    '~',
    '\\',
  ],
  ...[
    'a@a.',
    'Aa ',
    'a b ',
    '1.',
    '1,',
    '+1 (',
    '1-1 ',
    'http://',
    '<a ',
    '<div>',
    '</p>',
    '&lt;',
    '![',
    '](',
    '*a_ ',
    '> ',
    '- ',
    '# ',
  ],
  ...[
    '|-',
    '```\n',
    'Q: ',
    '问：',
    '\t\n',
    ' \n',
    'and ',
    ',and ',
    '吗',
    '不 ',
    '百万',
    '2026-',
    '10:',
    '一百',
    '<!--',
    ']]>',
    '=?',
    '\r\n ',
  ],
]

/** Readers that take more than three times as long when a text is twice as long, with the piece that it is made of. */
export async function findSlowReaders(
  readers: Record<string, Reader>,
  length: number,
  worthMeasuringMs: number,
): Promise<string[]> {
  const slow: string[] = []
  for (const [name, reader] of Object.entries(readers)) {
    for (const piece of HOSTILE_PIECES) {
      if (await growsTooFast(reader, piece, length, worthMeasuringMs)) slow.push(`${name} on ${JSON.stringify(piece)}`)
    }
  }
  return slow
}

async function growsTooFast(reader: Reader, piece: string, length: number, worthMeasuringMs: number): Promise<boolean> {
  const [short, long] = [length, 2 * length].map((n) => piece.repeat(Math.ceil(n / piece.length)).slice(0, n))
  // Others use the machine too, and memory is cleaned up in between: the best of several tries counts.
  let [shortMs, longMs] = [await cpuOf(reader, short as string), await cpuOf(reader, long as string)]
  for (let tries = 0; tries < 4 && longMs > worthMeasuringMs && longMs / shortMs > 3; tries++) {
    shortMs = Math.max(shortMs, await cpuOf(reader, short as string))
    longMs = Math.min(longMs, await cpuOf(reader, long as string))
  }
  return longMs > worthMeasuringMs && longMs / shortMs > 3
}

/** Milliseconds of processor time. */
async function cpuOf(reader: Reader, text: string): Promise<number> {
  const before = process.cpuUsage()
  try {
    await reader(text)
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
