import { join } from 'node:path'
import { defineConfig } from 'vite'

/** Pages that are asked for in development come from here, all else from a service that runs beside. */
const SERVICE = 'http://127.0.0.1:8000'

export default defineConfig({
  root: join(import.meta.dirname, 'console'),
  base: '/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // Browsers that know `light-dark()`: older ones would be sent every colour twice.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/docs', '/redoc', '/openapi.json'].map((path) => [path, { target: SERVICE }])),
  },
})
