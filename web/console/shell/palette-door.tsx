import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { explain } from '../ui/failure.ts'
import { toast } from '../ui/toasts.tsx'

export interface PaletteProps {
  onClose: () => void
}

export const lazyPalette = async (): Promise<ComponentType<PaletteProps>> =>
  (await import('./palette.tsx')).PaletteDialog

/** The palette is fetched when it is wanted for the first time. */
export function Palette({ load, onClose }: PaletteProps & { load: () => Promise<ComponentType<PaletteProps>> }) {
  const [Dialog, setDialog] = useState<ComponentType<PaletteProps> | null>(null)
  useEffect(() => {
    load().then(
      (component) => setDialog(() => component),
      (error: unknown) => {
        onClose()
        toast({ kind: 'bad', text: explain(error) })
      },
    )
  }, [])
  return Dialog && <Dialog onClose={onClose} />
}
