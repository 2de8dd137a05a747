import { expect, it } from 'vitest'
import { editDistance, nearestName } from './nearest-name.ts'

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['API_KEY', 'API_KEY', 0],
  ['API_KY', 'API_KEY', 1],
  ['API_KYE', 'API_KEY', 1],
  ['APIKEY', 'API_KEY', 1],
  ['API_KEYS', 'API_KEY', 1],
  ['API-KEY', 'API_KEY', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('%j becomes %j by %i changes, and back', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance)
  expect(editDistance(other, one)).toBe(distance)
})

it('finds the nearest name whatever the case', () => {
  expect(nearestName('api_ky', ['PORT', 'API_KEY'])).toEqual({ name: 'API_KEY', distance: 1 })
  expect(nearestName('x', [])).toBeNull()
})
