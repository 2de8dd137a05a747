import { type FoldedText, foldText } from './folding.ts'

export interface WordMatch {
  /** Index of the word in the list that the matcher was made from. */
  word: number
  /** Where in the original text it begins and ends. */
  start: number
  end: number
}

export interface WordMatcher {
  /** Every occurrence in order of its end; time is linear in the text and the matches, whatever the number of words. */
  find(text: FoldedText): WordMatch[]
}

interface Node {
  next: Map<number, number>
  /** Node of the longest proper suffix of this node's text that also begins a word. */
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
  const patterns = words.map((word) => foldText(word.trim()).units)
  const nodes = buildTrie(patterns)
  linkFailures(nodes)
  const edges = patterns.map((units) => ({
    length: units.length,
    left: isSpaced(units.at(0)),
    right: isSpaced(units.at(-1)),
  }))
  /** Whether a word that ends at `at` stands at word boundaries, where it needs them. */
  const stands = (word: number, units: Uint16Array, at: number): boolean => {
    const { length, left, right } = edges[word]!
    return !(left && isSpaced(units[at - length])) && !(right && isSpaced(units[at + 1]))
  }

  return {
    find({ units, offsets }) {
      const matches: WordMatch[] = []
      let node = 0
      for (let at = 0; at < units.length; at++) {
        node = step(nodes, node, units[at]!)
        if (node === 0) continue
        for (const word of wordsEndingAt(nodes, node)) {
          if (!stands(word, units, at)) continue
          matches.push({ word, start: offsets[at + 1 - edges[word]!.length]!, end: offsets[at]! + 1 })
        }
      }
      return matches
    },
  }
}

const NONE: readonly number[] = []

/** Words that end with the text of a node: its own, and those of the shorter texts that end it. */
function wordsEndingAt(nodes: readonly Node[], node: number): readonly number[] {
  const { words, shorter } = nodes[node]!
  if (shorter === 0) return words.length === 0 ? NONE : words
  return [...words, ...wordsEndingAt(nodes, shorter)]
}

function isSpaced(unit: number | undefined): boolean {
  if (unit === undefined) return false
  const character = String.fromCharCode(unit)
  return WORD_CHARACTER.test(character) && !UNSPACED.test(character)
}

function buildTrie(patterns: readonly Uint16Array[]): Node[] {
  const nodes: Node[] = [newNode()]
  patterns.forEach((pattern, word) => {
    if (pattern.length === 0) return
    let node = 0
    for (const unit of pattern) node = childOf(nodes, node, unit)
    nodes[node]!.words.push(word)
  })
  return nodes
}

function newNode(): Node {
  return { next: new Map(), fail: 0, words: [], shorter: 0 }
}

function childOf(nodes: Node[], node: number, unit: number): number {
  const existing = nodes[node]!.next.get(unit)
  if (existing !== undefined) return existing
  const child = nodes.push(newNode()) - 1
  nodes[node]!.next.set(unit, child)
  return child
}

/** Breadth first, so that the shorter texts that a node falls back to are linked before it. */
function linkFailures(nodes: Node[]): void {
  const queue = [...nodes[0]!.next.values()]
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!
    for (const [unit, child] of nodes[node]!.next) {
      const fail = step(nodes, nodes[node]!.fail, unit)
      nodes[child]!.fail = fail
      nodes[child]!.shorter = nodes[fail]!.words.length > 0 ? fail : nodes[fail]!.shorter
      queue.push(child)
    }
  }
}

function step(nodes: readonly Node[], from: number, unit: number): number {
  for (let node = from; ; node = nodes[node]!.fail) {
    const next = nodes[node]!.next.get(unit)
    if (next !== undefined) return next
    if (node === 0) return 0
  }
}
