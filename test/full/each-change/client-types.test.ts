import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Description, generateClient } from '../../../scripts/client/generate.ts'
import { conversationOf, writePackage } from '../../client/support/package.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

interface Schema {
  properties: Record<string, Schema>
  enum?: string[]
}

let test: TestApp
let description: Description
beforeAll(async () => {
  test = await createTestApp({ API_KEY: 'key' })
  description = (await test.call('GET', '/openapi.json')).body
})
afterAll(() => test.close())

describe('the types', () => {
  let folder: string
  beforeAll(() => {
    folder = writePackage('types')
    writeFileSync(join(folder, 'src/conversation.ts'), conversationOf('./index.ts'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Errors of the conversation of the README under the description as `change` makes it. */
  function errorsAfter(change: (paths: Description['paths']) => void): string[] {
    const changed = structuredClone(description)
    change(changed.paths)
    const files = generateClient(changed)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'src/generated', name), text)
    const { stdout } = spawnSync('tsc', ['--noEmit', '--project', folder], { encoding: 'utf8' })
    return stdout.split('\n').filter((line) => /error TS/.test(line))
  }

  function answerTo(paths: Description['paths'], path: string): Schema {
    return paths[path]?.post?.responses[200]?.content?.['application/json']?.schema as unknown as Schema
  }

  it('fit the conversation of the README', () => expect(errorsAfter(() => {})).toEqual([]))

  it('refuse it when a field, a value, an event or an operation goes that it reads, or a type is another', () => {
    writeFileSync(
      join(folder, 'src/mode.ts'),
      "import type { AskQuestion } from './index.ts'\nexport const mode: AskQuestion['result']['data']['mode'] = 'cached'\n",
    )
    const errors = errorsAfter((paths) => {
      const data = answerTo(paths, '/api/v1/chat').properties.data?.properties ?? {}
      delete data.escalate_to_human
      if (data.mode?.enum) data.mode.enum = data.mode.enum.filter((value) => value !== 'cached')
      delete paths['/api/v1/chat/stream']?.post?.['x-events']?.token
      delete paths['/api/v1/agent/sessions/{session_id}/resolve']
      const rating = paths['/api/v1/chat/sessions/{session_id}/rating']?.post?.requestBody?.content['application/json']
      Object.assign(rating?.schema?.properties?.score ?? {}, { type: 'string', enum: ['good', 'bad'] })
    })
    expect(errors.length).toBeGreaterThanOrEqual(5)
    for (const told of [
      /conversation.*'escalate_to_human' does not exist/,
      /mode\.ts.*"cached"/,
      /conversation.*"token"/,
      /conversation.*'?resolveAgentSession/,
      /conversation.*'number' is not assignable to type '"(?:good|bad)"/,
    ]) {
      expect(errors).toContainEqual(expect.stringMatching(told))
    }
  })
})
