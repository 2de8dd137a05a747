import type { Prompt } from './prompt.ts'
import type { Answer, Token } from './tokens.ts'

/** How one chat protocol writes an answer down; streams are lists of server-sent events. */
export interface Protocol {
  readPrompt(body: unknown): Prompt
  opening(prompt: Prompt, answer: Answer): string[]
  token(token: Token, prompt: Prompt, previous: Token | undefined): string
  closing(answer: Answer, prompt: Prompt, withUsage: boolean): string[]
  garbage(): string
  streamError(message: string): string
  errorBody(status: number, message: string): object
  whole(answer: Answer, prompt: Prompt, withUsage: boolean): object
}
