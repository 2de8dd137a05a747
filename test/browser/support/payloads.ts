import type { Page } from 'playwright-core'

const RUN = 'hack()'

/** Events of elements that need nobody to touch them. */
const BY_THEMSELVES = [
  `<img src=x onerror=${RUN}>`,
  `<image src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<body onload=${RUN}>`,
  `<video src=x onerror=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<object data=x onerror=${RUN}>`,
  `<iframe onload=${RUN}>`,
  `<style onload=${RUN}></style>`,
  `<link rel=stylesheet href=x onerror=${RUN}>`,
]

/** Elements that run or load something. */
const ELEMENTS = [
  `<script>${RUN}</script>`,
  `<script src=data:,${RUN}></script>`,
  `<script type=module>${RUN}</script>`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<iframe src="javascript:parent.${RUN}">`,
  `<object data="javascript:${RUN}">`,
  `<embed src="javascript:${RUN}">`,
  `<form action="javascript:${RUN}"><input type=submit>`,
  `<button formaction="javascript:${RUN}">x</button>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<a href="java\tscript:${RUN}">x</a>`,
  `<a href=" javascript:${RUN}">x</a>`,
  `<math><a xlink:href="javascript:${RUN}">x</a></math>`,
  `<base href="https://e.vil/">`,
  `<meta http-equiv=refresh content="0;url=https://e.vil/">`,
  `<style>*{background:url(https://e.vil/)}</style>`,
  `<template><script>${RUN}</script></template>`,
  `<frontdesk-widget></frontdesk-widget>`,
]

/** Ends of what the text may stand in, and mistakes of readers. */
const ENDINGS = [
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `" onmouseover="${RUN}`,
  `' autofocus onfocus='${RUN}`,
  `<scr<script>ipt>${RUN}</script>`,
  `<<script>${RUN}//<</script>`,
  `<script/x>${RUN}</script>`,
  `<IMG SRC=x ONERROR=${RUN}>`,
  `<svg/onload=${RUN}//`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
]

/** Markdown, encodings, and other languages of templates. */
const OTHERS = [
  `[x](javascript:${RUN})`,
  `[x](JavaScript:${RUN})`,
  `[x](data:text/html,<script>${RUN}</script>)`,
  `[x](vbscript:${RUN})`,
  `[x](https://e.vil"onmouseover="${RUN})`,
  `![x](x" onerror="${RUN})`,
  `**<img src=x onerror=${RUN}>**`,
  `\`<img src=x onerror=${RUN}>\``,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#x3c;img src=x onerror=${RUN}&#x3e;`,
  `\\u003cimg src=x onerror=${RUN}\\u003e`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `{{constructor.constructor('${RUN}')()}}`,
  `$\{${RUN}}`,
  `javascript:${RUN}`,
  `';${RUN};//`,
]

/** Ways to have a page take a text for more than it is, in one line each. A page that falls for one calls `hack()`. */
export const PAYLOADS: readonly string[] = [...BY_THEMSELVES, ...ELEMENTS, ...ENDINGS, ...OTHERS]

/** Has a page remember that `hack()` was called, also in pages that it goes to; call it before the first. */
export async function watchForScripts(page: Page): Promise<void> {
  await page.addInitScript('window.hack = () => { window.hacked = true }')
}

/** Elements of the widget and of lists of messages; whatever else stands there came from a text. */
const KNOWN = [
  ...['DIV', 'SECTION', 'ARTICLE', 'P', 'SPAN', 'STRONG', 'CODE', 'BR', 'UL', 'OL', 'LI', 'A', 'H2', 'H3'],
  ...[
    'TABLE',
    'THEAD',
    'TBODY',
    'TR',
    'TH',
    'TD',
    'DETAILS',
    'SUMMARY',
    'BUTTON',
    'FORM',
    'TEXTAREA',
    'INPUT',
    'LABEL',
  ],
  ...['svg', 'path', 'HEADER', 'TIME', 'KBD'],
]

/**
 * What stands below a place that no text should become: elements of other kinds, handlers, and links that lead to
 * anything but pages.
 * @param place an expression of the page, such as `document.body`
 */
export function harmIn(page: Page, place: string): Promise<string[]> {
  return page.evaluate(`[...${place}.querySelectorAll('*')].flatMap((element) => {
    const isOdd = !${JSON.stringify(KNOWN)}.includes(element.tagName)
    const handlers = element.getAttributeNames().filter((name) => /^(?:on|srcdoc|formaction|action|xlink)/.test(name))
    const link = element.getAttribute('href')
    const isLed = link !== null && !/^(?:https?:\\/\\/|\\/|#)/.test(link)
    return isOdd || handlers.length > 0 || isLed ? [element.outerHTML.slice(0, 300)] : []
  })`)
}

export function wasHacked(page: Page): Promise<boolean> {
  return page.evaluate('window.hacked === true')
}
