import { expect, it } from 'vitest'
import { turnSettings } from '../chat/turn/settings.ts'
import { DEFAULTS, DEFINITIONS, PARAMETER_NAMES, TURN_PARAMETERS } from '../tuning/parameters.ts'

it.each(PARAMETER_NAMES)('%s may be overridden by an experiment if and only if a turn goes by it', (name) => {
  const { min, max } = DEFINITIONS[name]
  const settings = (value: number) => turnSettings(DEFAULTS, { [name]: value })
  const isRead = JSON.stringify(settings(min)) !== JSON.stringify(settings(max))
  expect(TURN_PARAMETERS.includes(name)).toBe(isRead)
})
