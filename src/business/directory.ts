import type { BusinessConnector, BusinessDirectory, Scene } from './types.ts'

/** Sends each scene to the first connector that serves it and all others to `fallback`, the embedded records. */
export function createDirectory(
  fallback: BusinessConnector,
  served: ReadonlyArray<{ scenes: readonly Scene[]; connector: BusinessConnector; close?: () => Promise<void> }> = [],
): BusinessDirectory {
  return {
    forScene: (scene) => served.find(({ scenes }) => scenes.includes(scene))?.connector ?? fallback,
    close: async () => {
      await Promise.allSettled(served.map((entry) => entry.close?.()))
    },
  }
}
