import { join } from 'node:path'
import { buildWeb } from '../../../scripts/build-web.mjs'

/** Tests show the pages of the sources, however they were started. */
export async function setup(): Promise<void> {
  const root = join(import.meta.dirname, '../../..')
  const isDone = await buildWeb({ root, env: process.env, say: (line: string) => console.info(line) })
  if (!isDone) throw new Error('The pages could not be built')
}
