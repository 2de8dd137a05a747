import { loadHtml } from '../../knowledge/index.ts'

/** Parts that programs mark as quoted, or write by themselves. */
const QUOTES =
  'blockquote, .gmail_quote, .gmail_extra, .gmail_signature, .yahoo_quoted, .moz-cite-prefix, .moz-signature, #divRplyFwdMsg, #appendonsend, #mail-editor-reference-message-container, .ntes-mailmaster-quote, #isReplyContent, .wrapper_original, includetail, #Signature, #ms-outlook-mobile-signature'
const UNSEEN = 'head, style, script, title, noscript, template, [hidden]'
const BLOCKS = 'p, div, li, tr, h1, h2, h3, h4, h5, h6, table, ul, ol, pre, hr, section, article'

/** The text of a mail that has no plain one, without what is marked as quoted unless that is all there is. */
export function htmlToText(html: string): string {
  return textOf(html, `${UNSEEN}, ${QUOTES}`) || textOf(html, UNSEEN)
}

function textOf(html: string, without: string): string {
  const $ = loadHtml(html)
  $(without).remove()
  $('br').replaceWith('\n')
  $('a[href]').each((_, element) => {
    const [text, href = ''] = [$(element).text().trim(), $(element).attr('href')]
    if (/^https?:/i.test(href) && text !== '' && !text.includes('://') && !href.includes(text)) {
      $(element).replaceWith($('<span>').text(`${text} (${href})`))
    }
  })
  $(BLOCKS).each((_, element) => void $(element).prepend('\n').append('\n'))
  return $.root()
    .text()
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
