import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** Where links stand in a strip that scrolls, the current one is brought into view when it changes. */
export function useCurrentInView(strip: RefObject<HTMLElement | null>, current: string): void {
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
}
