import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Component {
  name: string
  version: string
  purl: string
  hashes?: { alg: string; content: string }[]
  licenses?: unknown[]
}

const root = join(import.meta.dirname, '..')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { name?: string; version: string; integrity?: string; license?: string }>
}
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-sbom-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Without a network: the registry is a port at which nobody listens. */
function write(name: string): string {
  const file = join(folder, name)
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/sbom.mjs'), file], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, npm_config_registry: 'http://127.0.0.1:9/' },
  })
  expect(status, stderr).toBe(0)
  return readFileSync(file, 'utf8')
}

test('the bill of materials is made offline, twice the same, and holds every locked package with its hash and licence', () => {
  const text = write('one.json')
  expect(write('two.json')).toBe(text)
  const bom = JSON.parse(text) as {
    bomFormat: string
    serialNumber: string
    metadata: { component: Component }
    components: Component[]
  }
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'frontdesk', type: 'application' } },
  })
  expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)

  const locked = Object.entries(packages).filter(([path]) => path !== '')
  const nameOf = (path: string, name?: string) => name ?? path.slice(path.lastIndexOf('node_modules/') + 13)
  const wanted = new Set(locked.map(([path, { name, version }]) => `${nameOf(path, name)}@${version}`))
  expect(new Set(bom.components.map(({ name, version }) => `${name}@${version}`))).toEqual(wanted)

  const hashed = new Set(
    locked.filter(([, each]) => each.integrity).map(([path, { name, version }]) => `${nameOf(path, name)}@${version}`),
  )
  const bare = bom.components.filter(({ name, version, hashes }) => hashed.has(`${name}@${version}`) && !hashes?.length)
  expect(bare.map(({ purl }) => purl)).toEqual([])
  const licensed = new Set(
    locked.filter(([, each]) => each.license).map(([path, { name, version }]) => `${nameOf(path, name)}@${version}`),
  )
  const unlicensed = bom.components.filter(
    ({ name, version, licenses }) => licensed.has(`${name}@${version}`) && !licenses?.length,
  )
  expect(unlicensed.map(({ purl }) => purl)).toEqual([])
  expect(text).not.toContain(root)
})
