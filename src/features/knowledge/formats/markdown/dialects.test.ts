import { describe, expect, it } from 'vitest'
import { withoutDialects } from './dialects.ts'
import { parseMarkdown } from './parse.ts'

const shown = (text: string): string =>
  parseMarkdown(text)
    .blocks.map((block) => ('text' in block ? block.text : 'items' in block ? block.items.join('\n') : block.type))
    .join('\n')

describe('Markdown of documentation tools', () => {
  it.each([
    ['programs of MDX', "import Box from '@site/Box';\nexport const a = 1\n\nText.", 'Text.'],
    ['marks of a box', ':::note Mind this\nWithin 7 days.\n:::', 'Mind this\nWithin 7 days.'],
    ['marks of a quoted box', '> [!NOTE]\n> Within 7 days.', 'Within 7 days.'],
    ['those within a list', '1. Choose.\n\n    > [!NOTE]\n    > Within 7 days.', '1. Choose.\n   Within 7 days.'],
    ['an indented box', '!!! warning "Mind this"\n    Within 7 days.\n\nAfter.', 'Mind this\nWithin 7 days.\nAfter.'],
    ['tabs', '=== "Web"\n    Click.\n\n=== "App"\n    Tap.', 'Web\nClick.\nApp\nTap.'],
    ['attributes', '## Steps {#steps}\n\nA [link](https://a.example){.button} here.', 'Steps\nA link here.'],
    ['templates', '{% include nav.html %}\n\n{{< figure src="a.png" >}}\n\nText.', 'Text.'],
    ['includes', '[!INCLUDE [note](../note.md)]\n\nText.', 'Text.'],
    ['the table of contents', '## In this article\n\n- [One](#one)\n- [Two](#two)\n\n## One\n\nText.', 'One\nText.'],
    ['目录', '**目录**\n\n1. [一](#一)\n2. [二](#二)\n\n正文。', '正文。'],
    ['a picture that stands alone', 'Go.\n\n![The dashboard](a.png)\n\nDone.', 'Go.\nDone.'],
    ['a picture in a box', '<div><img alt="The dashboard" src="a.png"></div>\n\nDone.', 'Done.'],
  ])('are read without %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it.each([
    'A picture ![of it](a.png) in a line.',
    '{ "json": true }',
    'import duties are paid by the customer from 1 May on',
    '- [One](https://a.example/#one)',
    'The section "In this article" is long.',
    '::: is no box',
  ])('leaves alone what a reader sees: %s', (text) => {
    expect(withoutDialects(text)).toContain(text.startsWith(':::') ? 'is no box' : text)
  })

  it('leaves code as it is', () => {
    const code = "```js\nimport a from 'b'\n:::note\n```"
    expect(withoutDialects(code)).toBe(code)
  })

  it('prefers the heading where the title only adds a number to it', () => {
    expect(parseMarkdown('---\ntitle: 8000087 键盘快捷方式\n---\n# 键盘快捷方式\n\n正文。').title).toBe('键盘快捷方式')
    expect(parseMarkdown('---\ntitle: Windows 11\n---\n# 11\n\nText.').title).toBe('Windows 11')
  })
})
