import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prompt } from './prompt.ts'
import type { Protocol } from './protocol.ts'
import type { Behaviour, Fault, RecordedRequest } from './script.ts'
import { type Answer, composeAnswer } from './tokens.ts'

interface Exchange {
  protocol: Protocol
  prompt: Prompt
  answer: Answer
  behaviour: Behaviour
  record: RecordedRequest
  response: ServerResponse
  /** Aborted when the client is gone. */
  gone: AbortSignal
}

/** Answers one chat request as the behaviour says. */
export async function answerChat(
  protocol: Protocol,
  record: RecordedRequest,
  behaviour: Behaviour,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const prompt = protocol.readPrompt(record.body)
  const exchange = { protocol, prompt, answer: composeAnswer(prompt, behaviour), behaviour, record, response, gone }
  if (await faultAt(-1, exchange)) return
  if (prompt.stream) await streamAnswer(exchange)
  else await wholeAnswer(exchange)
}

async function streamAnswer(exchange: Exchange): Promise<void> {
  const { protocol, prompt, answer, behaviour, record, response } = exchange
  response.writeHead(200, { 'content-type': behaviour.contentType ?? 'text/event-stream' })
  response.flushHeaders()
  for (const event of protocol.opening(prompt, answer)) response.write(event)
  for (const [index, token] of answer.tokens.entries()) {
    if (await faultAt(index, exchange)) return
    await pause(index === 0 ? behaviour.firstTokenDelayMs : behaviour.tokenDelayMs, exchange.gone)
    response.write(protocol.token(token, prompt, answer.tokens[index - 1]))
    record.tokensSent = index + 1
  }
  if (await faultAt(answer.tokens.length, exchange)) return
  for (const event of protocol.closing(answer, prompt, behaviour.omitUsage !== true)) response.write(event)
  response.end()
}

async function wholeAnswer(exchange: Exchange): Promise<void> {
  const { protocol, prompt, answer, behaviour, record, response, gone } = exchange
  await pause((behaviour.firstTokenDelayMs ?? 0) + (behaviour.tokenDelayMs ?? 0) * answer.tokens.length, gone)
  const text = JSON.stringify(protocol.whole(answer, prompt, behaviour.omitUsage !== true))
  record.tokensSent = answer.tokens.length
  response.writeHead(200, { 'content-type': behaviour.contentType ?? 'application/json' })
  if (!behaviour.fault) return void response.end(text)
  response.write(text.slice(0, Math.floor(text.length / 2)))
  await misbehave(behaviour.fault, exchange)
}

/** Commits the scripted fault if this is its place; true when nothing may follow. */
async function faultAt(tokens: number, exchange: Exchange): Promise<boolean> {
  const { fault } = exchange.behaviour
  if (!fault || fault.afterTokens !== tokens) return false
  return await misbehave(fault, exchange)
}

async function misbehave(fault: Fault, { protocol, record, response, gone }: Exchange): Promise<boolean> {
  if (fault.kind === 'garbage') {
    response.write(protocol.garbage())
    return false
  }
  if (fault.kind === 'hang') await until(gone)
  else if (fault.kind === 'end') response.end()
  else if (fault.kind === 'error') response.end(protocol.streamError('The scripted model is overloaded'))
  else {
    record.outcome = 'cut'
    // What was written so far must arrive, or every cut would look like one before the first token.
    await new Promise<void>((resolve) => {
      if (response.headersSent) response.write(': cut\n\n', () => setImmediate(resolve))
      else resolve()
    })
    response.socket?.resetAndDestroy()
  }
  return true
}

export async function pause(milliseconds: number | undefined, gone: AbortSignal): Promise<void> {
  if (!milliseconds) return
  await sleep(milliseconds, undefined, { signal: gone })
}

function until(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) resolve()
    else gone.addEventListener('abort', () => resolve(), { once: true })
  })
}
