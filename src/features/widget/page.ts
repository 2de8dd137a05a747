import { hash } from 'node:crypto'
import type { WidgetSettings } from './types.ts'

type Language = 'zh' | 'en'

const STYLE =
  ':root{color-scheme:light dark}html,body{margin:0;height:100%}main{box-sizing:border-box;height:100dvh;max-width:760px;margin:auto}' +
  '@media(min-width:800px){main{padding:24px 0}}p{font:16px/1.6 system-ui,sans-serif;margin:0;padding:24px}'

/** Nothing but the widget and this one sheet, and in no frame: what a customer clicks on is what they see. */
export const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const WORDS = {
  en: { title: 'Help', noScript: 'The chat needs JavaScript.', gone: 'There is no chat at this address.' },
  zh: { title: '在线客服', noScript: '在线客服需要 JavaScript。', gone: '此地址没有在线客服。' },
} as const

/** The widget alone on a page of its own, which a shop can link to. @param widget undefined: there is none of the key */
export function toPage(
  widget: { key: string; settings: Pick<WidgetSettings, 'title' | 'languages'> } | undefined,
  wanted: Language,
): string {
  const languages = widget?.settings.languages ?? ['zh', 'en']
  const language = languages.includes(wanted) ? wanted : (languages[0] as Language)
  const { title, noScript, gone } = WORDS[language]
  const name = escaped(widget?.settings.title[language] || title)
  const body = widget
    ? `<main id="chat"><noscript><p>${noScript}</p></noscript></main><script async src="/widget.js" data-key="${escaped(widget.key)}" data-target="#chat"></script>`
    : `<main><p>${gone}</p></main>`
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>${body}</body></html>`
}

/** The language that a reader wants, by `lang` of the address or the browser's own. */
export function wantedLanguage(named: string | undefined, accepted: string | undefined): Language {
  return /^\s*zh/i.test(named ?? accepted ?? '') ? 'zh' : 'en'
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
}
