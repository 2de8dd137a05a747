/** What a personal value is; decides how much of it stays readable. */
export type MaskKind = 'name' | 'phone' | 'email' | 'address' | 'identity' | 'card' | 'payment' | 'secret'

/** A personal value in a text: `start` inclusive, `end` exclusive, in UTF-16 units. */
export interface Finding {
  readonly start: number
  readonly end: number
  readonly kind: MaskKind
}
