import { join } from 'node:path'
import { defineConfig } from 'vite'

/** A page of a shop, for trying the widget out. */
export default defineConfig({
  root: join(import.meta.dirname, 'demo'),
  base: '/demo/',
  publicDir: false,
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    emptyOutDir: true,
  },
})
