/** The part of a text, which comes piece by piece, that is held back. */
export interface Held {
  readonly text: string
  /** Takes so many characters off its beginning; null where there are none to take. */
  cut(length: number): string | null
}

/** A text that goes on piece by piece, changed on the way. */
export interface Pieces {
  push(text: string): string
  end(): string
}

/**
 * Changes a text that comes piece by piece, holding back what is not decided yet.
 *
 * @param take takes the next part that is decided off what is held, as it is to be said; null where more must come first
 */
export function createPieces(take: (held: Held, isLast: boolean) => string | null): Pieces {
  let text = ''
  const held: Held = {
    get text() {
      return text
    },
    cut(length) {
      const part = text.slice(0, length)
      text = text.slice(length)
      return length === 0 ? null : part
    },
  }
  function drain(isLast: boolean): string {
    let said = ''
    for (let next = take(held, isLast); next !== null; next = take(held, isLast)) said += next
    return said
  }
  return {
    push(piece) {
      text += piece
      return drain(false)
    },
    end: () => drain(true),
  }
}
