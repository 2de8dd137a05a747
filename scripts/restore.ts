// `npm run restore -- FILE`: puts a backup in place of the embedded database. See docs/deployment.md.
import { parseArgs } from 'node:util'
import { checkArchive, putBack } from './backup/put-back.ts'
import { asGiven, embeddedDataDir, reportProgress, runCommand, say } from './backup/terminal.ts'

const USAGE = `Usage: npm run restore -- FILE             into a DATA_DIR that holds no database
       npm run restore -- FILE --force     in place of the one there, which is kept aside
       npm run restore -- FILE --check     only reads the file and says whether it is whole`

await runCommand(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
  })
  const [archive] = positionals
  if (archive === undefined || positionals.length > 1) return null
  const path = asGiven(archive)
  return () => (values.check ? check(path) : restore(path, values.force))
})

async function check(archive: string): Promise<void> {
  const { created_at, frontdesk, files } = await checkArchive(archive, reportProgress('Checked'))
  say(`${archive} is whole: ${files} files, made at ${created_at} by Frontdesk ${frontdesk}`)
}

async function restore(archive: string, force: boolean): Promise<void> {
  const dataDir = embeddedDataDir('pg_restore --clean --if-exists --dbname="$DATABASE_URL" FILE')
  const { manifest, aside } = await putBack({ archive, dataDir, force, progress: reportProgress('Unpacked') })
  say(`Restored ${dataDir} as it was at ${manifest.created_at}. Start Frontdesk now.`)
  if (aside) say(`The database that was there is now ${aside}. To undo: remove ${dataDir}/postgres and rename it back.`)
}
