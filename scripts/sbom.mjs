// `npm run sbom [-- FILE]`: every package that the lockfile names, as CycloneDX JSON, without a network and without an
// installation. npm lists them; here the list is made such that the same lockfile gives the same bytes everywhere.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from './setup.mjs'

const root = join(import.meta.dirname, '..')
const DEFAULT_FILE = 'sbom.cdx.json'

/** @returns {object} what `npm sbom` says of the lockfile */
function listPackages() {
  const [command, ...prefix] = npmCommand(process.env)
  const args = [...prefix, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { status, stdout, stderr, error } = spawnSync(command, [...args, '--offline', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1_048_576,
    shell: process.platform === 'win32' && prefix.length === 0,
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${error?.message ?? stderr}`)
  return JSON.parse(stdout)
}

/** The time, the random serial number, npm's version, the folder's name and the order are left out: none says what is used. */
function reproducible(bom, project, licences) {
  const { timestamp: _time, tools: _tools, ...metadata } = bom.metadata
  return {
    ...bom,
    serialNumber: `urn:uuid:${uuidOf(readFileSync(join(root, 'package-lock.json')))}`,
    metadata: {
      ...metadata,
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...metadata.component, name: project.name },
    },
    components: sortedBy(bom.components, 'bom-ref').map((each) => withLicence(each, licences)),
    dependencies: sortedBy(bom.dependencies, 'ref').map((each) => ({ ...each, dependsOn: [...each.dependsOn].sort() })),
  }
}

/** npm keeps only what is an SPDX identifier: "BSD" without a number is none, and yet what the package says. */
function withLicence(component, licences) {
  const name = licences.get(`${component.name}@${component.version}`)
  return component.licenses || !name ? component : { ...component, licenses: [{ license: { name } }] }
}

/** @returns {Map<string, string>} as the packages themselves state them, by name and version */
function licencesIn({ packages }) {
  const stated = Object.entries(packages).filter(([path, { license }]) => path !== '' && license)
  return new Map(
    stated.map(([path, { name = path.slice(path.lastIndexOf('node_modules/') + 13), version, license }]) => {
      return [`${name}@${version}`, license]
    }),
  )
}

function sortedBy(items, field) {
  return [...items].sort((a, b) => (a[field] < b[field] ? -1 : Number(a[field] > b[field])))
}

/** A name-based UUID (RFC 9562, version 8) of the content. */
function uuidOf(content) {
  const digits = createHash('sha256').update(content).digest('hex').slice(0, 32).split('')
  digits[12] = '8'
  digits[16] = (8 + (Number.parseInt(digits[16], 16) % 4)).toString(16)
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const file = process.argv[2] ?? DEFAULT_FILE
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const bom = reproducible(listPackages(), readJson('package.json'), licencesIn(readJson('package-lock.json')))
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
console.error(`${bom.components.length} packages in ${file}`)
