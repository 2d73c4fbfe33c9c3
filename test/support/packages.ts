import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs a package of Debian where that can be done without asking anybody. */
export function install(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  console.log(`Installing ${name}…`)
  // Another run of tests may be installing at this moment: it is waited for.
  const run = (...args: string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
    }).status === 0
  return run('install', '-y', name) || (run('update') && run('install', '-y', name))
}

/** Installs a package of Debian unless what it brings is there, and says which one is missing where that cannot be done. */
export function demandPackage(name: string, isThere: () => boolean): void {
  if (isThere() || (install(name) && isThere())) return
  throw new Error(`This test needs Debian's package ${name}.`)
}

export const hasProgram = (name: string) => () => Bun.which(name) !== null

/** Debian's own interpreter, which sees Debian's modules. */
export const PYTHON = '/usr/bin/python3'

export const hasModule = (name: string) => () =>
  existsSync(PYTHON) && spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0
