import { join } from 'node:path'
import { defineConfig } from 'vite'

const ROOT = join(import.meta.dirname, 'demo')

/** Pages of a shop, for trying the widget out. */
export default defineConfig({
  root: ROOT,
  base: '/demo/',
  publicDir: false,
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    emptyOutDir: true,
    rollupOptions: { input: [join(ROOT, 'index.html'), join(ROOT, 'help.html')] },
  },
})
