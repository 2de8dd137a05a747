import { foldText } from './folding.ts'

export interface WordMatch {
  /** Index of the word in the list that the matcher was made from. */
  word: number
  /** Where in the original text it begins and ends. */
  start: number
  end: number
}

export interface WordMatcher {
  /** Every occurrence in order of its end; time is linear in the text and the matches, whatever the number of words. */
  find(text: string): WordMatch[]
}

interface Node {
  next: Map<number, number>
  /** Longest proper suffix of this node's text that also begins a word. */
  fail: number
  /** Words that end here. */
  words: number[]
  /** The nearest node along `fail` where words end; 0: none. */
  shorter: number
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/**
 * Finds many words at once: Aho and Corasick, "Efficient string matching" (1975). Case, width and traditional forms make
 * no difference. A word that begins or ends with a letter of a spaced script stands at a word boundary there, so that
 * "ass" is not found in "class"; Chinese words are found anywhere.
 */
export function createWordMatcher(words: readonly string[]): WordMatcher {
  const patterns = words.map((word) => foldText(word.trim()).text)
  const nodes = buildTrie(patterns)
  linkFailures(nodes)
  const lengths = patterns.map(({ length }) => length)
  const edges = patterns.map((pattern) => ({ left: isSpaced(pattern.at(0)), right: isSpaced(pattern.at(-1)) }))

  return {
    find(original) {
      const { text, offsets } = foldText(original)
      const matches: WordMatch[] = []
      let node = 0
      for (let at = 0; at < text.length; at++) {
        node = step(nodes, node, text.charCodeAt(at))
        let ending = nodes[node]!.words.length > 0 ? node : nodes[node]!.shorter
        for (; ending !== 0; ending = nodes[ending]!.shorter) {
          for (const word of nodes[ending]!.words) {
            const start = at + 1 - lengths[word]!
            const { left, right } = edges[word]!
            if (left && isSpaced(text[start - 1])) continue
            if (right && isSpaced(text[at + 1])) continue
            matches.push({ word, start: offsets[start]!, end: offsets[at]! + 1 })
          }
        }
      }
      return matches
    },
  }
}

function isSpaced(character: string | undefined): boolean {
  return character !== undefined && WORD_CHARACTER.test(character) && !UNSPACED.test(character)
}

function buildTrie(patterns: readonly string[]): Node[] {
  const nodes: Node[] = [newNode()]
  patterns.forEach((pattern, word) => {
    if (pattern === '') return
    let node = 0
    for (let i = 0; i < pattern.length; i++) node = childOf(nodes, node, pattern.charCodeAt(i))
    nodes[node]!.words.push(word)
  })
  return nodes
}

function newNode(): Node {
  return { next: new Map(), fail: 0, words: [], shorter: 0 }
}

function childOf(nodes: Node[], node: number, code: number): number {
  const existing = nodes[node]!.next.get(code)
  if (existing !== undefined) return existing
  const child = nodes.push(newNode()) - 1
  nodes[node]!.next.set(code, child)
  return child
}

/** Breadth first, so that the shorter texts that a node falls back to are linked before it. */
function linkFailures(nodes: Node[]): void {
  const queue = [...nodes[0]!.next.values()]
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!
    for (const [code, child] of nodes[node]!.next) {
      const fail = step(nodes, nodes[node]!.fail, code)
      nodes[child]!.fail = fail
      nodes[child]!.shorter = nodes[fail]!.words.length > 0 ? fail : nodes[fail]!.shorter
      queue.push(child)
    }
  }
}

function step(nodes: readonly Node[], from: number, code: number): number {
  for (let node = from; ; node = nodes[node]!.fail) {
    const next = nodes[node]!.next.get(code)
    if (next !== undefined) return next
    if (node === 0) return 0
  }
}
