/**
 * Preloaded into the service that is measured: each of its threads collects its garbage at intervals. Left alone, it
 * lets some hundred megabytes gather between two collections where the machine has them, and that hides a slope.
 */
export const COLLECT_EVERY_MS = 5_000

const { gc } = globalThis
if (gc) setInterval(() => void gc(), COLLECT_EVERY_MS).unref()
