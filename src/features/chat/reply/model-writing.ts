import type { Guard } from './guard.ts'
import { NOT_FOUND } from './prompt.ts'

interface Target {
  guard: Guard
  write: (text: string) => Promise<void>
  /** Ends the model's work. */
  stop: () => void
  /** Stands for NOT_FOUND where it is said of one of several parts; '' where one question was asked. */
  partNotFound: string
}

/** Writes what the guard lets through, in order, at the pace of whoever reads. */
export function createModelWriting({ guard, write, stop, partNotFound }: Target) {
  let words = createWords(partNotFound)
  let isNotFound = false
  let isNextStep = false
  let written = ''
  let writes = Promise.resolve()

  function pass(ready: string): void {
    if (ready === '') return
    written += ready
    writes = writes.then(() => write(ready))
    // Whether it failed is told at the end.
    writes.catch(stop)
  }
  function say(text: string): void {
    if (text === '') return
    const gap = isNextStep && text.trim() !== ''
    if (gap) isNextStep = false
    pass(guard.push(gap ? `\n\n${text.trimStart()}` : text))
    if (guard.leaking) stop()
  }
  function endStep(): void {
    say(words.end())
    isNotFound ||= words.isNotFound()
  }

  return {
    push: (delta: string): void => say(words.feed(delta)),
    /** Words before the call of a tool and those after it are two paragraphs. */
    nextStep(): void {
      endStep()
      words = createWords(partNotFound)
      pass(guard.end())
      isNextStep = written.trim() !== ''
    },
    async end(): Promise<{ written: string; isNotFound: boolean }> {
      endStep()
      pass(guard.end())
      await writes
      return { written, isNotFound }
    },
  }
}

/** The words of one step without NOT_FOUND, which no customer reads; what may become it is held back. */
function createWords(partNotFound: string) {
  let held = ''
  let hasSpoken = false
  let isNotFound = false
  let isOver = false

  function feed(delta: string): string {
    if (isOver) return ''
    held += delta
    let ready = ''
    for (let at = held.indexOf(NOT_FOUND); at >= 0; at = held.indexOf(NOT_FOUND)) {
      isNotFound = true
      const before = held.slice(0, at)
      held = held.slice(at + NOT_FOUND.length)
      // Said first it is said of everything.
      if (!hasSpoken && before.trim() === '') {
        isOver = true
        return ''
      }
      ready += `${before}${partNotFound}`
      hasSpoken = true
    }
    const waiting = openLength(held)
    const text = held.slice(0, held.length - waiting)
    if (!hasSpoken && text.trim() === '') return ready
    hasSpoken = true
    held = held.slice(text.length)
    return ready + text
  }

  return {
    feed,
    end(): string {
      const rest = isOver ? '' : held
      held = ''
      return rest
    },
    isNotFound: (): boolean => isNotFound,
  }
}

/** Letters at the end of a text that NOT_FOUND may begin with. */
function openLength(text: string): number {
  for (let length = Math.min(NOT_FOUND.length - 1, text.length); length > 0; length--)
    if (text.endsWith(NOT_FOUND.slice(0, length))) return length
  return 0
}
