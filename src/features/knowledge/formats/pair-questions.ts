import { ANSWER_MARKER, isQuestion, QUESTION_MARKER } from './questions.ts'
import type { Block } from './types.ts'

/** A question that still gathers its answer. */
interface OpenPair {
  question: string
  source: Block
  answer: Block[]
  answered: boolean
}

interface Pairing {
  blocks: Block[]
  open: OpenPair | null
}

/**
 * Joins lines marked `Q:`/`A:`, `问：`/`答：` and their numbered forms into qa blocks; the answer runs to the next
 * question or heading. A question that asks something is also answered by an unmarked paragraph below it. A question
 * without an answer, or an answer without a question, stays text.
 */
export function pairQuestions(blocks: Block[]): Block[] {
  const pairing: Pairing = { blocks: [], open: null }
  for (const block of blocks) {
    if (block.type === 'paragraph') takeParagraph(pairing, block)
    else if (block.type === 'heading' || !pairing.open) {
      close(pairing)
      pairing.blocks.push(block)
    } else pairing.open.answer.push(block)
  }
  close(pairing)
  return pairing.blocks
}

function takeParagraph(pairing: Pairing, block: Block & { type: 'paragraph' }): void {
  if (pairing.open && isQuestion(pairing.open.question)) pairing.open.answered = true
  for (const part of markedParts(block.text)) {
    if (part.marker === 'question') {
      close(pairing)
      pairing.open = { question: part.text, source: block, answer: [], answered: false }
    } else if (pairing.open) takeAnswer(pairing.open, part, block)
    else pairing.blocks.push({ ...block, text: part.raw })
  }
}

function takeAnswer(open: OpenPair, part: MarkedPart, block: Block & { type: 'paragraph' }): void {
  if (part.marker === 'answer') open.answered = true
  if (!open.answered) open.question = `${open.question}\n${part.text}`
  else if (part.text !== '') open.answer.push({ ...block, text: part.text })
}

function close(pairing: Pairing): void {
  const { open, blocks } = pairing
  if (!open) return
  const { page, sheet, slide } = open.source
  const place = { ...(page && { page }), ...(sheet && { sheet }), ...(slide && { slide }) }
  if (open.answered && open.answer.length > 0) {
    blocks.push({ ...place, type: 'qa', question: open.question, answer: open.answer, metadata: {} })
  } else {
    blocks.push({ ...place, type: 'paragraph', text: open.question })
    for (const block of open.answer) blocks.push(block)
  }
  pairing.open = null
}

interface MarkedPart {
  marker: 'question' | 'answer' | null
  /** Without its marker. */
  text: string
  raw: string
}

/** Cuts a paragraph at the lines that begin with a marker. */
function markedParts(paragraph: string): MarkedPart[] {
  const parts: { marker: MarkedPart['marker']; lines: string[]; raw: string[] }[] = []
  for (const line of paragraph.split('\n')) {
    const { marker, body } = markedLine(line)
    const last = parts.at(-1)
    if (marker || !last) parts.push({ marker, lines: [body], raw: [line] })
    else {
      last.lines.push(line)
      last.raw.push(line)
    }
  }
  return parts.map(({ marker, lines, raw }) => ({ marker, text: lines.join('\n').trim(), raw: raw.join('\n').trim() }))
}

function markedLine(line: string): { marker: MarkedPart['marker']; body: string } {
  const trimmed = line.trimStart()
  const head = trimmed.slice(0, 80)
  const question = QUESTION_MARKER.exec(head)
  if (question) return { marker: 'question', body: trimmed.slice(question[0].length) }
  const answer = ANSWER_MARKER.exec(head)
  return answer ? { marker: 'answer', body: trimmed.slice(answer[0].length) } : { marker: null, body: line }
}
