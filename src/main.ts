import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { becomeSmall } from './small-process.ts'

becomeSmall(process)

// Files of this program (customers' words, what it compiled) are for the user that runs it. Threads cannot say so.
process.umask(0o077)

// Half of a start was compiling modules that had been compiled before. Whatever is loaded before this line is not kept,
// so the program itself is loaded after it. Where nothing may be written a start only takes longer.
const { directory } = enableCompileCache(join(import.meta.dirname, '../.cache/compiled'))
// biome-ignore lint/style/noProcessEnv: what the runtime's threads, which inherit it, read
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

const { start } = await import('./start.ts')
await start()
