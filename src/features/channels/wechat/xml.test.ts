import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseXmlFields } from './xml.ts'

const refused = expect.objectContaining({ kind: 'invalid', code: 'callback_xml' })

describe('parseXmlFields', () => {
  it('reads CDATA and plain fields, white space and long numbers as they are', () => {
    const fields = parseXmlFields(
      '<xml>\n<A><![CDATA[ a & <b> ]]></A>\n<MsgId>12345678901234567890</MsgId><E/></xml>\n',
    )
    expect(Object.fromEntries(fields)).toMatchObject({ A: ' a & <b> ', MsgId: '12345678901234567890', E: '' })
  })

  it('joins a text that was spread over CDATA sections', () => {
    expect(parseXmlFields('<xml><A><![CDATA[x]]]]><![CDATA[>y]]></A></xml>').get('A')).toBe('x]]>y')
  })

  it("resolves XML's own five entities once", () => {
    expect(parseXmlFields('<xml><A>&lt;a&gt; &amp;lt; &quot;&apos;</A></xml>').get('A')).toBe('<a> &lt; "\'')
  })

  it('takes a byte order mark and an XML declaration', () => {
    expect(parseXmlFields('\uFEFF<?xml version="1.0"?><xml><A>1</A></xml>').get('A')).toBe('1')
  })

  it('leaves what customers write inside CDATA alone', () => {
    const text = '<!DOCTYPE html><!ENTITY x "y"> &nbsp; &#20320; <!-- c -->'
    expect(parseXmlFields(`<xml><A><![CDATA[${text}]]></A></xml>`).get('A')).toBe(text)
  })

  it('leaves nested elements out', () => {
    expect([...parseXmlFields('<xml><A>1</A><Scan><B>2</B></Scan></xml>').keys()]).toEqual(['A'])
  })

  it.each([
    ['a DOCTYPE', '<!DOCTYPE xml><xml><A>1</A></xml>'],
    ['a DOCTYPE in lower case', '<!doctype xml><xml><A>1</A></xml>'],
    ['an entity bomb', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><xml><A>&b;</A></xml>'],
    ['an external entity', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><xml><A>&f;</A></xml>'],
    ['an unknown entity', '<xml><A>&nbsp;</A></xml>'],
    ['a character reference', '<xml><A>&#20320;</A></xml>'],
    ['a DOCTYPE behind a CDATA mark in a comment', '<!--<![CDATA[--><!DOCTYPE x><xml><A>]]></A></xml>'],
    ['a comment', '<xml><!-- x --><A>1</A></xml>'],
    ['a CDATA section without end', '<xml><A><![CDATA[x</A></xml>'],
    ['a tag without end', '<xml><A>1</A>'],
    ['crossed tags', '<xml><A>1</B></xml>'],
    ['two roots', '<xml><A>1</A></xml><xml><A>2</A></xml>'],
    ['another root', '<html><A>1</A></html>'],
    ['a root without fields', '<xml>text</xml>'],
    ['a repeated field', '<xml><A>1</A><A>2</A></xml>'],
    ['deep nesting', `<xml>${'<a>'.repeat(50)}${'</a>'.repeat(50)}</xml>`],
    ['a prototype name', '<xml><__proto__><A>1</A></__proto__></xml>'],
    ['tags by the thousand', `<xml>${Array.from({ length: 500 }, (_, index) => `<f${index}/>`).join('')}</xml>`],
    ['JSON', '{"xml": 1}'],
    ['nothing', ''],
  ])('refuses %s', (_, xml) => {
    expect(() => parseXmlFields(xml)).toThrow(refused)
  })

  it('answers any text with fields or its own error', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '<xml>',
      '</xml>',
      '<A>',
      '</A>',
      '<![CDATA[',
      ']]>',
      '&',
      ';',
      '<?',
      '?>',
      'x',
      '/',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          parseXmlFields(pieces.join(''))
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid', code: 'callback_xml' })
        }
      }),
      { numRuns: 500 },
    )
  })
})
