import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../test/support/test-app.ts'
import { openAnalyser } from './analysing.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-words-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('openAnalyser', () => {
  it('names the setting, the file and the lines that are wrong', () => {
    const path = file('wrong.txt', 'zorb,quux\nlonely\n')
    expect(() => openAnalyser({ USER_DICTIONARY: '', SYNONYMS_FILE: path })).toThrow(
      `Wrong settings: SYNONYMS_FILE ${path} line 2: a group needs two different entries`,
    )
  })

  it.each(['USER_DICTIONARY', 'SYNONYMS_FILE'] as const)('says of %s when it is missing or no text', (name) => {
    const none = { USER_DICTIONARY: '', SYNONYMS_FILE: '' }
    expect(() => openAnalyser({ ...none, [name]: join(folder, 'missing') })).toThrow(
      /^Wrong settings: .*missing cannot be read \(ENOENT\)$/,
    )
    const binary = file('binary', Uint8Array.of(0xff, 0xfe, 0x00))
    expect(() => openAnalyser({ ...none, [name]: binary })).toThrow(/^Wrong settings: .*binary is not UTF-8 text$/)
  })

  it('adds a user’s dictionary to what keeps Chinese words whole', () => {
    const path = file('dictionary.txt', '灯笼会员\n')
    const words = (USER_DICTIONARY: string) =>
      openAnalyser({ USER_DICTIONARY, SYNONYMS_FILE: '' }).analyser.words('灯笼会员')
    expect(words('').length).toBeGreaterThan(1)
    expect(words(path)).toEqual(['灯笼会员'])
  })
})

describe('SYNONYMS_FILE', () => {
  it('lets a question find a passage that says it in other words', async () => {
    const scoreOf = async (environment: Record<string, string>): Promise<number> => {
      const app = await createTestApp(environment)
      try {
        await app.upload('# Upkeep\n\nThe gear wheel is oiled once in every two years.', 'upkeep.md')
        const query = 'How often must I grease the sprocket?'
        const { body } = await app.call('POST', '/api/v1/agent/sessions/any/knowledge-recommend', { query })
        return body.chunks[0]?.score ?? 0
      } finally {
        await app.close()
      }
    }
    const groups = file('synonyms.txt', 'sprocket, gear wheel\ngrease, oil\n')
    expect(await scoreOf({ SYNONYMS_FILE: groups })).toBeGreaterThan(2 * (await scoreOf({})))
  })
})
