import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { COMMANDS } from '@/cli/commands'

const root = join(import.meta.dir, '../..')

/** The commands of `folkmoot` that a text runs, with their flags. */
const run = (text: string): string[][] =>
  [...text.matchAll(/(?:folkmoot\.ts|^ +folkmoot|\[folkmoot,) ([a-z][^#\]\n]*)/gm)].map(([, words = '']) =>
    words
      .replaceAll(',', ' ')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )

test('units and containers use existing commands and flags', () => {
  const files = [...new Glob('deploy/*.service').scanSync(root), 'compose.yaml']
  const found = files.flatMap((file) => run(readFileSync(join(root, file), 'utf8')))
  expect(found.map(([name]) => name).sort()).toEqual(['backup', 'backup', 'migrate'])
  for (const words of found) {
    const command = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
    expect([words, command?.name]).toEqual([words, expect.any(String)])
    for (const flag of words.filter((word) => word.startsWith('--')))
      expect(Object.keys(command?.options ?? {})).toContain(flag)
  }
})
