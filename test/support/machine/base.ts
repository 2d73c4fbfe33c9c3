import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demandPackage, hasProgram } from '../packages'

const SYSTEM = ['systemd', 'systemd-sysv', 'dbus', 'iproute2', 'netbase', 'procps']

/** A Debian 12 as it comes, with these packages of it, so that a machine made of it needs no network. */
export function makeBase(folder: string, packages: string[]): string {
  demandPackage('debootstrap', hasProgram('debootstrap'))
  demandPackage('systemd-container', hasProgram('systemd-nspawn'))
  const base = join(folder, 'base')
  mkdirSync(base, { recursive: true, mode: 0o755 })
  run('debootstrap', '--variant=minbase', `--include=${SYSTEM.join(',')}`, 'bookworm', base)
  run('chroot', base, 'apt-get', 'install', '--yes', '--no-install-recommends', ...packages)
  // Each machine that is made of it gets a number of its own at its first start.
  writeFileSync(join(base, 'etc/machine-id'), '')
  return base
}

function run(program: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    // The folder of the tests is not there for whoever sees the new root alone.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', TMPDIR: '/tmp' },
  })
  if (status !== 0) throw new Error(`${program} failed:\n${stdout.slice(-1500)}\n${stderr.slice(-500)}`)
}
