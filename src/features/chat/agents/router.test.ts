import { expect, it } from 'vitest'
import { understand } from '../../../../test/support/turns.ts'
import type { SessionContext } from '../../sessions/index.ts'
import { planTasks } from './router.ts'

function plan(message: string, context: SessionContext = {}) {
  const previousTurns = (context.questions ?? []).map((content) => ({ role: 'user' as const, content }))
  return planTasks({ message, understanding: understand(message, { previousTurns }), context })
}
const agents = (message: string, context?: SessionContext): string[] => plan(message, context).map(({ agent }) => agent)

it.each([
  ['What is the return window?', ['knowledge']],
  ['Where is my order #W1234567?', ['business']],
  ['取消我那个待发货的单', ['business']],
  ['你好', ['chitchat']],
  ['I want to talk to a person', ['escalation']],
  ['我要跟你们领导反映', ['escalation']],
  ['Please update my agent profile', ['business']],
  ['Hello! What is the return window?', ['knowledge']],
  ['What is the return window? And where is my order #W1234567?', ['knowledge', 'business']],
])('names who answers %s', (message, expected) => {
  expect(agents(message)).toEqual(expected)
})

it('rewrites a follow-up by what was asked, and keeps it as it was said', () => {
  const [task] = plan('And for electronics?', { questions: ['What is the return window?'] })
  expect(task).toMatchObject({
    rewrites: ['What is the return window for electronics?'],
    original: { question: 'for electronics?', refersBack: false },
  })
})

it('takes the rewrites of a model where there are any', () => {
  const message = 'And for electronics?'
  const read = { ...understand(message), isFollowUp: true, standalone: ['Return window of electronics?'] }
  const [task] = planTasks({ message, understanding: read, context: { questions: ['What?'] } })
  expect(task?.rewrites).toEqual(['Return window of electronics?'])
})

it.each(['2', '第二个', 'the second one'])('takes %s for one of the questions that were offered', (message) => {
  const clarifying = ['return window of lamps?', 'return window of phones?']
  expect(plan(message, { clarifying })[0]).toMatchObject({ agent: 'knowledge', question: clarifying[1] })
})
