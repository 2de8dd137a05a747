import type { Records } from './records.ts'

/** What a reply says that was done to an order, by its number without `#`, and what its record must then say. */
const CLAIMS: readonly { said: RegExp; holds: (before: Content, after: Content) => boolean }[] = [
  {
    said: /order #?(\w+) (?:is|was) (?:now )?cancelled|订单 #?(\w+)[^。\n]{0,6}已取消/gi,
    holds: statusIs('cancelled'),
  },
  {
    said: /return of [^\n]+ from order #?(\w+) is requested|订单 #?(\w+) (?:的退货已申请|已申请退货)/gi,
    holds: statusIs('return requested'),
  },
  {
    said: /exchange of [^\n]+ from order #?(\w+) is requested|订单 #?(\w+) (?:的换货已申请|已申请换货)/gi,
    holds: statusIs('exchange requested'),
  },
  {
    said: /address of order #?(\w+) is changed|订单 #?(\w+) 的收货地址已修改/gi,
    holds: (before, after) => JSON.stringify(before.address) !== JSON.stringify(after.address),
  },
]
const SAYS_DEFAULT_CHANGED = /default address is changed|默认地址已修改/i

type Content = Record<string, unknown>

function statusIs(status: string) {
  return (_: Content, after: Content): boolean => after.status === status
}

/** What a reply claims to be done and is not, and what was done and it does not say; empty when both are the same. */
export function wrongClaims(reply: string, customer: string, before: Records, after: Records): string[] {
  const claimed = new Set<string>()
  const wrong: string[] = []
  for (const { said, holds } of CLAIMS)
    for (const match of reply.matchAll(said)) {
      const id = match.slice(1).find((part) => part !== undefined) ?? ''
      claimed.add(id)
      if (!holds(before.get(id) ?? {}, after.get(id) ?? {})) wrong.push(`says “${match[0]}”, and it is not so`)
    }
  if (SAYS_DEFAULT_CHANGED.test(reply)) claimed.add(customer)
  const changed = [...after.keys()].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)))
  if (claimed.has(customer) && !changed.includes(customer)) wrong.push('says that the default address is changed')
  return [...wrong, ...changed.filter((id) => !claimed.has(id)).map((id) => `does not say what was done to ${id}`)]
}
