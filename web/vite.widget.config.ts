import { join } from 'node:path'
import { defineConfig } from 'vite'

/** One file that a shop's page loads; it brings nothing else along. */
export default defineConfig({
  publicDir: false,
  build: {
    lib: {
      entry: join(import.meta.dirname, 'widget/main.ts'),
      formats: ['iife'],
      name: 'frontdeskWidget',
      fileName: () => 'widget.js',
    },
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // Those that know `light-dark`: what stands for it elsewhere takes a third more.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    emptyOutDir: false,
  },
})
