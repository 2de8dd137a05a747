import { describe, expect, it } from 'vitest'
import { namesOf, ofInput } from './files.ts'

const file = (path: string) => ({ name: path.split('/').at(-1), webkitRelativePath: path }) as File

describe('files that are chosen', () => {
  it('leave out what systems put there', () => {
    const chosen = ofInput([file('help/a.md'), file('help/.DS_Store'), file('help/.git/b.md'), file('help/~$c.docx')])
    expect(chosen.map(({ path }) => path)).toEqual(['help/a.md'])
  })

  it('are named by their path where a name alone would make one document of two', () => {
    expect(namesOf(ofInput([file('h/a/index.md'), file('h/b/index.md'), file('h/c.md')]))).toEqual([
      'h - a - index.md',
      'h - b - index.md',
      'c.md',
    ])
  })
})
