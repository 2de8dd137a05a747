import { toSimplified } from './traditional.ts'

/**
 * Brings what means the same to the same characters: NFKC (full width, half width, ligatures), simplified Chinese,
 * one kind of apostrophe and hyphen. Case is kept, because the tokeniser reads camelCase from it.
 */
export function normalise(text: string): string {
  return toSimplified(text.normalize('NFKC'))
    .replace(/[\u2018\u2019\u02bc\uff07]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u00ad|[\u200b-\u200d\u2060\ufeff]/g, '')
}

/** Lower case without diacritics on Latin and Greek letters, so that "cafe" finds "Café". */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x20-\x7e]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/(\p{Script=Latin}|\p{Script=Greek})\p{Mn}{1,8}/gu, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
}
