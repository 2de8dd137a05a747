import { expect, it } from 'vitest'
import { settings } from '../../src/config.ts'
import { SETTINGS_ZH } from '../../web/console/screens/settings/setting-words.ts'

it('the console says in Chinese what each setting of the machine means, and of no other', () => {
  expect(Object.keys(SETTINGS_ZH).toSorted()).toEqual(Object.keys(settings.properties).toSorted())
  for (const [name, meaning] of Object.entries(SETTINGS_ZH)) expect(meaning, name).toMatch(/\p{Script=Han}/u)
})
