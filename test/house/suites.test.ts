import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engines } from '../../package.json'
import { isSlow, SLOW, testFiles } from '../support/suites'

describe('the fast suite', () => {
  test('contains every test file that is not listed as slow', () => {
    expect(testFiles().filter((file) => !isSlow(file)).length).toBeGreaterThan(250)
  })

  test('lists no slow file that does not exist', () => {
    const gone = SLOW.filter((place) => !testFiles().some((file) => file.startsWith(place)))
    expect(gone).toEqual([])
  })
})

test('every file that names a Bun version names the same one', () => {
  const root = join(import.meta.dir, '../..')
  const version = engines.bun.replace('>=', '')
  for (const file of ['.ci/run', 'Dockerfile', 'README.md', 'CONTRIBUTING.md', 'scripts/bootstrap.ts']) {
    const named = readFileSync(join(root, file), 'utf8').matchAll(/(?:bun[@:]|BUN_NEEDED = ')([\d.]+\d)/g)
    expect({ file, versions: [...new Set([...named].map((match) => match[1]))] }).toEqual({
      file,
      versions: [version],
    })
  }
})
