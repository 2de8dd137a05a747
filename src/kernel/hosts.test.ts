import { describe, expect, it } from 'vitest'
import { hostnameOf, isLoopback, isLoopbackName } from './hosts.ts'

const leadsHere = (authority: string): boolean => isLoopbackName(hostnameOf(authority) ?? '')

describe('a name in a Host header', () => {
  it.each([
    'localhost',
    'localhost:8000',
    'LocalHost:8000',
    'localhost.',
    'shop.localhost:8000',
    '127.0.0.1',
    '127.0.0.1:8000',
    '127.8.9.10',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '[::1]',
    '[::1]:8000',
    '[0:0:0:0:0:0:0:1]:8000',
    '[::ffff:127.0.0.1]',
    'localhost:',
  ])('means this machine: %s', (authority) => expect(leadsHere(authority)).toBe(true))

  it.each([
    '',
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example',
    'evil-localhost',
    'notlocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:8000',
    '128.0.0.1',
    '3232235777',
    '0.0.0.0',
    '192.168.1.10:8000',
    '[::2]',
    '[fe80::1]',
    '::1',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example\\localhost',
    'localhost evil.example',
    'localhost, evil.example',
    'localhost:80:80',
    'localhost:99999',
    'localhost:x',
    '[::1',
    '::1]',
    'ｌｏｃａｌｈｏｓｔ.evil',
    'lоcalhost',
    'localhost\u0000.evil',
  ])('means another, or none: %j', (authority) => expect(leadsHere(authority)).toBe(false))
})

it.each([
  ['127.0.0.1', true],
  ['127.0.0.53', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.5', false],
  ['desk.example.com', false],
  ['', false],
])('a server on %j is reached from this machine alone: %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
