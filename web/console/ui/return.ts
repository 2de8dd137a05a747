import { useEffect, useRef } from 'preact/hooks'
import { hasEnded, isReachable } from '../api.ts'

/** Calls when the service can be reached again, or somebody is logged in again: what is shown may be old by then. */
export function useReturn(call: () => unknown): void {
  const isThere = isReachable.value && !hasEnded.value
  const wasThere = useRef(isThere)
  useEffect(() => {
    const isBack = isThere && !wasThere.current
    wasThere.current = isThere
    if (isBack) void call()
  }, [isThere])
}
