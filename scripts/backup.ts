// `npm run backup -- FILE`: packs the embedded database, also while the service runs. See docs/deployment.md.
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { backUp } from './backup/back-up.ts'
import { asGiven, embeddedDataDir, mebibytes, reportProgress, runCommand, say } from './backup/terminal.ts'

await runCommand('Usage: npm run backup -- FILE        (such as backups/2026-01-31.tar.gz)', () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [target] = positionals
  return target === undefined || positionals.length > 1 ? null : () => main(asGiven(target))
})

async function main(target: string): Promise<void> {
  const dataDir = embeddedDataDir('pg_dump --format=custom --file=FILE "$DATABASE_URL"')
  const { bytes, files } = await backUp({ dataDir, target, progress: reportProgress('Packed'), say })
  const { size } = await stat(target)
  say(`Wrote ${target}: ${files} files, ${mebibytes(bytes)} MiB packed into ${mebibytes(size)} MiB`)
}
