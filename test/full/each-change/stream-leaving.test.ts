import { afterAll, beforeAll, it } from 'vitest'
import { leaveInTheMiddle } from '../../support/chat-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model/server.ts'

let server: ScriptedModel
beforeAll(async () => {
  server = await startScriptedModel()
})
afterAll(() => server.close())

it('a thousand who leave in the middle: no request is left, no connection, no verdict', () =>
  leaveInTheMiddle(server, 1_000))
