import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { demandPackage, hasProgram } from '../support/packages'

demandPackage('systemd', hasProgram('systemd-analyze'))

const deploy = join(import.meta.dir, '../../deploy')
const units = [...new Glob('*.{service,timer}').scanSync(deploy)].sort()
const services = units.filter((name) => name.endsWith('.service'))

/** The units with a program in the place of Bun's that is on every machine. */
function unitsHere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'units-'))
  for (const name of units) copyFileSync(join(deploy, name), join(folder, name))
  for (const name of services)
    writeFileSync(
      join(folder, name),
      readFileSync(join(deploy, name), 'utf8').replaceAll('/usr/local/bin/bun', '/bin/true'),
    )
  return folder
}

const analyze = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

test('every unit is as systemd wants it', () => {
  expect(units).toEqual([
    'folkmoot-backup.service',
    'folkmoot-backup.timer',
    'folkmoot-worker.service',
    'folkmoot.service',
    'folkmoot@.service',
  ])
  const folder = unitsHere()
  const { status, output } = analyze('verify', '--man=no', ...units.map((name) => join(folder, name)))
  expect([status, output]).toEqual([0, ''])
})

test('every service is shut in as far as a server with a JIT can be', () => {
  const folder = unitsHere()
  for (const name of services) {
    const { output } = analyze('security', '--offline=yes', '--no-pager', join(folder, name))
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1])
    expect([name, exposure <= 1.6, exposure]).toEqual([name, true, expect.any(Number)])
  }
})

test('the timer is for every night', () => {
  const [, when = ''] =
    /^OnCalendar=(.+)$/m.exec(readFileSync(join(deploy, 'folkmoot-backup.timer'), 'utf8')) ?? []
  const { status, output } = analyze('calendar', '--iterations=2', when)
  expect(status).toBe(0)
  expect(output).toContain('03:30:00')
})
