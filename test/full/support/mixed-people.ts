import { expect } from 'vitest'
import { call } from './client.ts'
import { findMarked, markOf } from './mixed-documents.ts'

/** A conversation, and how many of its messages were acknowledged; the one after them may be there or not. */
export interface Talk {
  readonly session: string
  acknowledged: number
  /** Messages that were answered. */
  replied: number
  sent: number
}

const textOf = (number: number): string => `Where is the article number ${number}?`

export async function say(origin: string, talk: Talk): Promise<void> {
  const message = textOf(talk.sent++)
  const { status, body } = await call(origin, 'POST', '/chat', { message, session_id: talk.session })
  if (status !== 200) throw new Error(`chat: ${status} ${JSON.stringify(body)}`)
  talk.acknowledged = talk.sent
  talk.replied++
}

/** What was acknowledged is there with its replies, each once, in order, and at most what was sent. */
export async function checkTalk(origin: string, talk: Talk): Promise<void> {
  if (talk.sent === 0) return
  const { status, body } = await call(origin, 'GET', `/chat/sessions/${talk.session}/messages?limit=200`)
  if (status === 404) expect(talk.acknowledged, talk.session).toBe(0)
  const messages = (body.messages ?? []) as { role: string; content: string }[]
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const replies = messages.filter(({ role }) => role === 'assistant')
  expect(asked, talk.session).toEqual(asked.map((_, i) => textOf(i)))
  expect(asked.length, talk.session).toBeGreaterThanOrEqual(talk.acknowledged)
  expect(asked.length, talk.session).toBeLessThanOrEqual(talk.sent)
  expect(replies.length, talk.session).toBeGreaterThanOrEqual(talk.replied)
  talk.replied = replies.length
  talk.acknowledged = asked.length
  talk.sent = asked.length
}

/** An answer of a person, from its submission to its publication. */
export interface Solution {
  readonly number: number
  id: string | undefined
  approval: 'none' | 'asked' | 'acknowledged'
}

export const markOfSolution = ({ number }: Solution): string => markOf('s', number)
export const solutionText = (solution: Solution) => ({
  question: `What is a ${markOfSolution(solution)}?`,
  solution: `A ${markOfSolution(solution)} is a part of machine number ${solution.number}.`,
})

export async function submit(origin: string, solution: Solution): Promise<void> {
  const { status, body } = await call(origin, 'POST', '/escalation/solution', solutionText(solution))
  if (status !== 200) throw new Error(`solution: ${status} ${JSON.stringify(body)}`)
  solution.id = body.solution_id
}

export async function approve(origin: string, solution: Solution): Promise<void> {
  solution.approval = 'asked'
  const { status, body } = await call(origin, 'POST', `/escalation/solutions/${solution.id}/approve`)
  if (status !== 200) throw new Error(`approval: ${status} ${JSON.stringify(body)}`)
  solution.approval = 'acknowledged'
}

/** Approved and found, or waiting and not found: never the one without the other. */
export async function checkSolution(origin: string, solution: Solution): Promise<void> {
  if (solution.id === undefined) return
  const { status, body } = await call(origin, 'GET', `/escalation/solutions/${solution.id}`)
  const name = `solution ${solution.number}`
  expect(status, name).toBe(200)
  const expected = { none: ['pending'], asked: ['pending', 'approved'], acknowledged: ['approved'] }[solution.approval]
  expect(expected, name).toContain(body.status)
  const isApproved = body.status === 'approved'
  expect(await findMarked(origin, markOfSolution(solution)), name).toHaveLength(isApproved ? 1 : 0)
  solution.approval = isApproved ? 'acknowledged' : 'none'
}
