// node scripts/count-tests.mjs FOLDER [FAILED_STEP…]
// Adds up Vitest's JSON reports in FOLDER and prints "N passed, N failed". A test file that could not be loaded or set up
// counts as one failure, and so does a failed step whose tests all passed or that has none.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, ...failedSteps] = process.argv.slice(2)
const reports = readdirSync(folder).filter((name) => name.endsWith('.json'))
const counts = Object.fromEntries(reports.map((name) => [name.replace('.json', ''), count(join(folder, name))]))
const sum = (field) => Object.values(counts).reduce((total, report) => total + report[field], 0)
const unexplained = failedSteps.filter((step) => !counts[step]?.failed).length
const skipped = sum('skipped') ? `, ${sum('skipped')} skipped` : ''

console.log(`${sum('passed')} passed, ${sum('failed') + unexplained} failed${skipped}`)

function count(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'))
  const unusable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unusable.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }
}
