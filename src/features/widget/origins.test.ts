import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesOrigin, normaliseOrigin } from './origins.ts'

describe('normaliseOrigin', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    [' HTTPS://Shop.Example:443/ ', 'https://shop.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://*.shop.example', 'https://*.shop.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('reads %s', (given, origin) => expect(normaliseOrigin(given)).toBe(origin))

  it.each(['', '*', 'shop.example', 'https://', 'https://*.com', 'https://a.*.example', 'ftp://shop.example', 'null'])(
    'refuses %j',
    (given) => expect(normaliseOrigin(given)).toBeNull(),
  )
  it.each(['https://shop.example/a', 'https://shop.example?x', 'https://u@shop.example', 'javascript:alert(1)'])(
    'refuses %j, too',
    (given) => expect(normaliseOrigin(given)).toBeNull(),
  )

  it('makes of any text nothing, or what it makes of that again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        const origin = normaliseOrigin(text)
        if (origin !== null) expect(normaliseOrigin(origin)).toBe(origin)
      }),
    )
  })
})

describe('matchesOrigin', () => {
  const LISTED = [
    'https://shop.example',
    'https://*.shop.example',
    'http://localhost:3000',
    'https://*.at.example:8443',
  ]

  it.each(['https://shop.example', 'https://eu.shop.example', 'https://a.b.shop.example', 'http://localhost:3000'])(
    'lets %s in',
    (origin) => expect(matchesOrigin(origin, LISTED)).toBe(true),
  )
  it.each([
    'http://shop.example',
    'https://shop.example:8443',
    'https://evilshop.example',
    'https://shop.example.e.vil',
    'https://at.example:8443',
    'https://x.at.example',
    'null',
    '',
    'https://*.shop.example.',
  ])('keeps %j out', (origin) => expect(matchesOrigin(origin, LISTED)).toBe(false))
})
