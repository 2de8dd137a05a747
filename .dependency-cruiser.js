// Who may import whom: the table in docs/architecture.md, line by line.
// test/support/import-rules.test.ts plants a violation of every rule here and expects it to be caught.

// TypeScript 7 has no parser that dependency-cruiser can call, and without one it skips every .ts file in silence.
import '@swc/core'

const TYPES_ONLY = ['type-only', 'type-import']

const ROUTES = 'src/features/([^/]+)/.*(?:routes|schemas)\\.ts$'
const QUERIES = 'src/features/([^/]+)/.*queries\\.ts$'
const POSTGRES = 'src/platform/postgres(?:/|\\.ts$)'

/** Pure files, services and the door of a feature: all that is neither routes nor queries. */
const FEATURE_CORE = { path: '^src/features/([^/]+)/', pathNot: [`^${ROUTES}`, `^${QUERIES}`] }

function rule(name, comment, from, to) {
  return { name, severity: 'error', comment, from, to }
}

const layers = [
  rule('kernel-imports-nothing', 'kernel imports nothing of ours.', { path: '^src/kernel/' }, outside('kernel')),
  rule('http-imports-kernel', 'http imports kernel only.', { path: '^src/http/' }, outside('http', 'kernel')),
  rule(
    'platform-imports-kernel',
    'platform imports kernel only.',
    { path: '^src/platform/' },
    outside('platform', 'kernel'),
  ),
  rule(
    'language-imports-kernel',
    'language imports kernel only.',
    { path: '^src/language/' },
    outside('language', 'kernel'),
  ),
  rule(
    'privacy-imports-language-and-kernel',
    'privacy imports language and kernel only.',
    { path: '^src/privacy/' },
    outside('privacy', 'language', 'kernel'),
  ),
  rule(
    'ai-imports-language-platform-and-kernel',
    'ai imports language, platform and kernel only.',
    { path: '^src/ai/' },
    outside('ai', 'language', 'platform', 'kernel'),
  ),
  rule('config-imports-kernel', 'config imports kernel only.', { path: '^src/config\\.ts$' }, outside('kernel')),
  rule(
    'root-is-the-top',
    'Only main, app and the modules import main, app and config: everything else is handed what it needs.',
    { path: '^src/[^/]+/', pathNot: '^src/modules/' },
    { path: '^src/[^/]+\\.ts$' },
  ),
]

const features = [
  rule(
    'feature-entered-by-its-door',
    "Another feature is entered through its index.ts, wherever one stands: from a feature's folder …",
    { path: '^src/features/([^/]+)/' },
    { path: '^src/features/[^/]+/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'] },
  ),
  rule(
    'features-entered-by-their-door',
    '… or from anywhere else.',
    { path: '^(?:src/(?!features/)|test/(?:journeys|contract)/)' },
    { path: '^src/features/[^/]+/', pathNot: '^src/features/[^/]+/index\\.ts$' },
  ),
  {
    ...rule(
      'no-cycle-between-features',
      'Two features that need each other are one, or share something that belongs below both. Types count.',
      { path: '^src/features/[^/]+$' },
      { circular: true, path: '^src/features/[^/]+$' },
    ),
    scope: 'folder',
  },
  rule(
    'routes-import-http-and-kernel',
    'Routes and their schemas import their own feature, http, kernel, the words of language and sessions, and types.',
    { path: `^${ROUTES}` },
    {
      path: '^src/',
      pathNot: ['^src/features/$1/', '^src/http/', '^src/kernel/', '^src/language/', '^src/features/sessions/index'],
      dependencyTypesNot: TYPES_ONLY,
    },
  ),
  rule(
    'queries-import-postgres',
    'Queries import platform/postgres and types.',
    { path: `^${QUERIES}` },
    { path: '^src/', pathNot: ['^src/features/$1/', `^${POSTGRES}`], dependencyTypesNot: TYPES_ONLY },
  ),
  rule(
    'queries-import-own-types',
    'What queries take from their own feature is types, or other queries.',
    { path: `^${QUERIES}` },
    { path: '^src/features/$1/', pathNot: `^${QUERIES}`, dependencyTypesNot: TYPES_ONLY },
  ),
  rule('feature-knows-no-http', 'Only routes know HTTP.', FEATURE_CORE, { path: '^src/http/' }),
  rule(
    'feature-takes-platform-as-types',
    'Services and pure files are handed the platform; they import its types.',
    FEATURE_CORE,
    {
      path: '^src/platform/',
      dependencyTypesNot: TYPES_ONLY,
    },
  ),
]

const packages = [
  rule(
    'fastify-in-routes-only',
    'Only main, app, the modules, http and routes know Fastify.',
    { path: '^src/[^/]+/', pathNot: ['^src/http/', '^src/modules/', `^${ROUTES}`] },
    { path: 'node_modules/(?:@fastify/|fastify/|fastify-[^/]+/)' },
  ),
  rule(
    'database-driver-in-postgres-only',
    'Only platform/postgres and queries know the database drivers and the query builder.',
    { path: '^src/', pathNot: [`^${POSTGRES}`, `^${QUERIES}`] },
    { path: 'node_modules/(?:pg|pg-[^/]+|kysely|@electric-sql/[^/]+)/' },
  ),
  rule(
    'no-development-dependency-in-src',
    'The service is installed without development dependencies.',
    { path: '^src/' },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: TYPES_ONLY },
  ),
  rule(
    'src-stands-alone',
    'The service needs no test, bench or script.',
    { path: '^src/' },
    {
      path: '^(?:test|bench|scripts)/',
    },
  ),
]

const hygiene = [
  rule(
    'no-circular-import',
    'Modules that need each other at run time cannot be loaded or understood one at a time.',
    { path: '^src/' },
    { circular: true, viaOnly: { dependencyTypesNot: TYPES_ONLY } },
  ),
  rule(
    'no-unresolvable-import',
    'An import that leads nowhere escapes every other rule.',
    {},
    { couldNotResolve: true },
  ),
]

function outside(...folders) {
  return { path: '^src/', pathNot: folders.map((folder) => `^src/${folder}/`) }
}

export default {
  forbidden: [...layers, ...features, ...packages, ...hygiene],
  options: {
    parser: 'swc',
    // Folder rules need the metrics.
    metrics: true,
    doNotFollow: { path: 'node_modules' },
    // Tests reach into what they test.
    exclude: { path: '\\.test\\.ts$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
