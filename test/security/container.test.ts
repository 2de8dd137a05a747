import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../../src/config.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const dockerfile = read('Dockerfile')
const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths]) => (paths as string).split(' '))

/** `test/full/each-change/container.test.ts` starts what is in it. */
describe('the image', () => {
  it('is made of what exists, and of nothing that .dockerignore leaves out', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(copied.length).toBeGreaterThan(5)
    for (const path of copied) {
      expect(globSync(path, { cwd: ROOT }), path).toHaveLength(1)
      const isAllowed = allowed.some((each) => path === each || path.startsWith(`${each}/`))
      expect([path, isAllowed]).toEqual([path, true])
    }
    expect(read('.dockerignore')).toMatch(/^\*$/m)
  })

  it('runs as a user that owns no part of the program, without a shell in between', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last.indexOf('\nUSER node')).toBeGreaterThan(last.lastIndexOf('\nCOPY '))
    expect(last).not.toMatch(/--chown/)
    expect(JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '')).toEqual(['node', 'src/main.ts'])
    expect(last).not.toMatch(/API_KEY=|PASSWORD=|^ENV.*HOST=/m)
  })
})

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'))
  const { frontdesk, database } = compose.services

  it('sets what exists', () => {
    const known = Object.keys(settings.properties)
    expect(Object.keys(frontdesk.environment).filter((name) => !known.includes(name))).toEqual([])
  })

  it('has no secret in it, demands them, and opens no port but to this machine', () => {
    expect(frontdesk.environment.API_KEY).toMatch(/^\$\{API_KEY:\?/)
    expect(database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
    expect(frontdesk.ports).toEqual(['127.0.0.1:8000:8000'])
    expect(database.ports).toBeUndefined()
    expect(frontdesk).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(database.image).toBe('pgvector/pgvector:pg17')
  })
})
