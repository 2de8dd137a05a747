import { signal } from '@preact/signals'
import type { ScreenName } from '../screens.ts'

/** Numbers beside the names of screens: what waits there for somebody. */
export const badges = signal<Partial<Record<ScreenName, number>>>({})

export function setBadge(screen: ScreenName, count: number): void {
  if ((badges.value[screen] ?? 0) !== count) badges.value = { ...badges.value, [screen]: count }
}
