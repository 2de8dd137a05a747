/**
 * Characters that nobody sees: format controls (tags, directions, zero widths, soft hyphens, byte order marks) and what
 * fonts leave out by default (fillers, variation selectors). Number signs of Arabic and joins of hieroglyphs are seen.
 */
const INVISIBLE =
  /[[\p{Cf}\p{Default_Ignorable_Code_Point}]--[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}\u{13430}-\u{1345F}]]/v

/**
 * A character that holds an emoji or a word of a joining script together belongs to it; the same anywhere else is
 * nothing.
 */
const VARIATION = String.raw`(?<=[\p{Emoji}--[0-9#*]])[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)`
const EMOJI_JOIN = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})`
const JOINING = [
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam',
  'Mongolian Myanmar Oriya Sinhala Syriac Tamil Telugu',
]
  .join(' ')
  .split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')
const WORD_JOIN = `(?<=[${JOINING}])[\u200C\u200D](?=[${JOINING}])`
const KEPT_OR_INVISIBLE = new RegExp(`(${VARIATION}|${EMOJI_JOIN}|${WORD_JOIN})|${INVISIBLE.source}`, 'gv')

/**
 * Takes out what cannot be seen, so that whoever reads a text, whatever compares it and a model all read the same.
 * Doing it again changes nothing.
 */
export function withoutInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text
  return text.replace(KEPT_OR_INVISIBLE, (_, kept: string | undefined) => kept ?? '')
}
