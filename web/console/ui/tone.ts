/** Colours of states. */
export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad' | 'machine'
