import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingChanges, unannounced } from './api/breaking'
import { promised } from './api/document'

/**
 * Fails if the API breaks clients of the last release without an entry in the changelog. With `--accept`, at a release, the current
 * API becomes the baseline.
 */
const inTree = (name: string) => join(import.meta.dir, '..', name)
const read = (name: string) => readFileSync(inTree(name), 'utf8')
const BASELINE = 'docs/api-baseline.json'

const present = JSON.parse(read('docs/openapi.json'))
const found = unannounced(breakingChanges(JSON.parse(read(BASELINE)), present), read('CHANGELOG.md'))
for (const { operation, what } of found) console.error(`${operation}: ${what}`)
if (found.length > 0) {
  console.error(
    '\nClients of the last release would break. Take it back, or name the operations in CHANGELOG.md, under "## Unreleased" and "### Breaking", as `GET /v1/me`.\n',
  )
  process.exit(1)
}
if (process.argv.includes('--accept')) writeFileSync(inTree(BASELINE), promised(present))
console.log('The API breaks no client of the last release, or says so in the changelog.')
