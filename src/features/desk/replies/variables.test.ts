import { describe, expect, it } from 'vitest'
import { faultOf, fill, variablesOf } from './variables.ts'

describe('the variables of a reply', () => {
  it.each([
    ['Dear {{customer.name}}, {{ agent.name }} here', ['customer.name', 'agent.name']],
    ['{{order.id}} {{order.id}}', ['order.id']],
    ['no {braces} at all', []],
  ])('of %j are %j', (text, expected) => {
    expect(faultOf(text)).toBeNull()
    expect(variablesOf(text)).toEqual(expected)
  })

  it.each(['{{customer.password}}', '{{}}', 'Dear {{customer.name', 'customer.name}}', '{{{customer.name}}}'])(
    'are wrong in %j',
    (text) => {
      expect(faultOf(text)).not.toBeNull()
    },
  )

  it('are filled once, and named where they have no value', () => {
    const values = { 'customer.name': '{{order.id}}$&', 'order.id': '' }
    expect(fill('{{customer.name}}: {{order.id}}', values)).toEqual({ text: '{{order.id}}$&: ', missing: ['order.id'] })
  })
})
