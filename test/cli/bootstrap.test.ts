import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** A checkout with one package, in which nothing can be installed. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-checkout-'))
  for (const part of ['scripts/bootstrap.ts', 'src/lifecycle'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  mkdirSync(join(folder, 'node_modules/one'), { recursive: true })
  const write = (name: string, content: object | string) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  write('package.json', { name: 'checkout', dependencies: { one: '1.0.0' } })
  write('node_modules/one/package.json', { name: 'one', version: '1.0.0' })
  write('bun.lock', 'no lockfile')
  write(
    'begin.ts',
    "await (await import('./scripts/bootstrap')).bootstrap({ development: false })\nconsole.log('on')",
  )
  const begin = () => {
    const { stdout, exitCode } = Bun.spawnSync([process.execPath, 'begin.ts'], { cwd: folder })
    return [exitCode, stdout.toString().trim()]
  }
  return { write, begin }
}

test('packages installed by another user are enough', () => {
  const { write, begin } = checkout()
  expect(begin()).toEqual([0, 'on'])
  // Of a release before: they are installed anew where that is allowed.
  write('node_modules/.folkmoot-installed', 'before runtime')
  expect(begin()).toEqual([0, 'Installing packages…\non'])
  write('node_modules/one/package.json', { name: 'one', version: '0.9.0' })
  expect(begin()).toEqual([1, 'Installing packages…'])
})
