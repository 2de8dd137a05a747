import { isCourtesy, withoutGreeting } from './letters.ts'

const MAX_LINES = 20
const MAX_CHARACTERS = 20_000

/** The lines of messages that say something, without greetings. */
export function saidBy(messages: readonly string[]): string {
  const lines = messages.flatMap((text) => text.split('\n')).map((line) => withoutGreeting(line.trim()))
  const said = lines.filter((line) => line !== '' && !isCourtesy(line)).slice(0, MAX_LINES)
  return said.join('\n').slice(0, MAX_CHARACTERS)
}
