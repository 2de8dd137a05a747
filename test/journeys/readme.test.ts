import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample } from '../../src/demo.ts'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The commands of the fenced blocks below a heading. */
function blocksBelow(heading: string): string {
  const section = read('README.md').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands).join('')
}

const DOCUMENTS = globSync('{README,CHANGELOG}.md', { cwd: ROOT })
  .concat(globSync('{docs,src,bench}/**/*.md', { cwd: ROOT }))
  .filter((path) => !path.includes('node_modules'))

describe('the conversation in the README', () => {
  let test: TestApp
  let files: Map<string, string>
  beforeAll(async () => {
    test = await createTestApp()
    await loadSample(test.app, '', { info: () => {} })
    files = new Map()
  })
  afterAll(() => test.close())

  /** What `curl` would do, without a network. */
  async function curl(line: string): Promise<{ status: number; body: unknown }> {
    const url = /\$api(\S*)/.exec(line)?.[1] ?? ''
    const json = /-d '([^']*)'/.exec(line)?.[1]
    const file = /-F file=@(\S+)/.exec(line)?.[1]
    if (json) return test.call('POST', `/api/v1${url}`, JSON.parse(json))
    if (!file) return test.call(line.includes('-X POST') ? 'POST' : 'GET', `/api/v1${url}`)
    const fields = [...line.matchAll(/-F (\w+)=([^@\s]+)/g)].map(([, name, value]) => [name, value])
    const form = encodeForm(files.get(file) ?? '', file, Object.fromEntries(fields))
    return test.call('POST', `/api/v1${url}`, form.body, { 'content-type': form.contentType })
  }

  it('goes as it is written', async () => {
    const lines = blocksBelow('A first conversation').split('\n')
    const replies: string[] = []
    for (const line of lines) {
      const written = /^printf '([^']*)' > (\S+)/.exec(line)
      if (written) files.set(written[2] as string, (written[1] as string).replaceAll('\\n', '\n'))
      if (!line.startsWith('curl')) continue
      const { status, body } = await curl(line)
      expect([line, status]).toEqual([line, 200])
      replies.push(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const expected = [
      /days/,
      /Electronics .*15 days/,
      /天/,
      /event: done/,
      /"doc_id"/,
      /10:00 to 18:30/,
      /hours\.md/,
      /"escalate_to_human":true/,
      /demo-2/,
      /anna/,
      /"role":"agent"/,
      /within 30 days|return/,
      /resolved/,
      /this is Anna/,
    ]
    expect(replies).toHaveLength(expected.length)
    for (const [at, pattern] of expected.entries()) expect(replies[at]).toMatch(pattern)
  })
})

describe('what the documents name', () => {
  it.each(DOCUMENTS)('is there: %s', (document) => {
    const text = read(document)
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
    for (const [, name] of text.matchAll(/\bnpm run ([\w:-]+)/g)) expect(scripts).toContain(name)
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      expect([target, existsSync(join(ROOT, dirname(document), target))]).toEqual([target, true])
    }
    for (const [, path = ''] of text.matchAll(/`((?:src|bench|docs|scripts|sample|test|migrations)\/[\w./-]+)`/g)) {
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
    }
  })

  it('are settings that there are', () => {
    const known = new Set(
      read('.env.example')
        .match(/^#? ?([A-Z][A-Z0-9_]+)=/gm)
        ?.map((line) => line.replace(/[# =]/g, '')),
    )
    const settings = read('README.md').split('\n## Settings\n')[1]?.split('\n## ')[0] ?? ''
    const named = [...settings.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(5)
    for (const name of named) expect(known).toContain(name)
  })
})
