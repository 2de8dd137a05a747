import { enableCompileCache } from 'node:module'
import { becomeSmall, COMPILED } from './small-process.ts'

// Files of this program (customers' words, what it compiled) are for the user that runs it. Threads cannot say so.
process.umask(0o077)

becomeSmall(process)

// Where the process has not begun again. Whatever is loaded before this line is not kept, so the program is loaded after it.
const { directory } = enableCompileCache(COMPILED)
// biome-ignore lint/style/noProcessEnv: what the runtime's threads, which inherit it, read
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory

const { compile, start } = await import('./start.ts')
// For set-ups and images: the first start then finds everything compiled.
if (process.argv.includes('--compile')) await compile()
else await start()
