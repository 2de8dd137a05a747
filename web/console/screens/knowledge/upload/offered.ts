import { signal } from '@preact/signals'
import type { ChosenFile } from './files.ts'

/** Files that were dropped or chosen, and wait for a word on what they are. */
export const offered = signal<readonly ChosenFile[]>([])
