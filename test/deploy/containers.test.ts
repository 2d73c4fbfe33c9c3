import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

type Compose = {
  services: Record<string, { command?: string[]; build?: unknown; environment?: Record<string, string> }>
  networks: { inner: { ipam: { config: { subnet: string; gateway: string }[] } } }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'containers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the loop of backups', () => {
  /** Runs the loop with programs that only say that they were called, until it has slept for `rounds` times ten minutes. */
  function loop(outcome: 'works' | 'fails', rounds: number, clock: string): string[] {
    const programs = mkdtempSync(join(folder, 'programs-'))
    const log = join(programs, 'log')
    writeFileSync(log, '')
    const program = (name: string, lines: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`)
      chmodSync(join(programs, name), 0o755)
    }
    program(
      'folkmoot',
      `echo "$@" >> '${log}'\n${outcome === 'works' ? `touch -d '${clock}' '${backups}/folkmoot-now.backup'` : 'exit 1'}`,
    )
    // The loop is the parent of its programs.
    program(
      'sleep',
      `echo "sleep $1" >> '${log}'; [ $(grep -c 'sleep 600' '${log}') -lt ${rounds} ] || kill $PPID`,
    )
    // Such as "today 03:30" and "+%s" alone, on a day of ours.
    program(
      'date',
      `case "$2" in
        today*) exec /bin/date -u -d '${clock.slice(0, 10)} 03:30' +%s ;;
        yesterday*) exec /bin/date -u -d '${clock.slice(0, 10)} 03:30 1 day ago' +%s ;;
        *) exec /bin/date -u -d '${clock}' +%s ;;
      esac`,
    )
    const { services } = Bun.YAML.parse(read('compose.yaml')) as Compose
    const script = services.backup?.command?.[2] as string
    spawnSync('sh', ['-c', script.replaceAll('$$', '$').replaceAll('/backups', backups)], {
      env: { PATH: `${programs}:${process.env.PATH}` },
      timeout: 20_000,
    })
    return readFileSync(log, 'utf8').trim().split('\n')
  }

  let backups: string
  const put = (name: string, at: string) => {
    writeFileSync(join(backups, name), '')
    utimesSync(join(backups, name), new Date(at), new Date(at))
  }
  const MADE = expect.stringMatching(/^backup --to \S+ --keep 14$/)

  test('makes one where there is none, and no other before the night', () => {
    backups = mkdtempSync(join(folder, 'backups-'))
    expect(loop('works', 3, '2026-03-02 12:00Z')).toEqual([
      'sleep 60',
      MADE,
      'sleep 600',
      'sleep 600',
      'sleep 600',
    ])
    expect(readdirSync(backups)).toEqual(['folkmoot-now.backup'])
  })

  test('makes none at a restart, before and after the hour, and one when a night has none', () => {
    backups = mkdtempSync(join(folder, 'backups-'))
    put('folkmoot-a.backup', '2026-03-01T03:31:00Z')
    expect(loop('works', 1, '2026-03-01 23:00Z')).toEqual(['sleep 60', 'sleep 600'])
    expect(loop('works', 1, '2026-03-02 03:20Z')).toEqual(['sleep 60', 'sleep 600'])
    expect(loop('works', 1, '2026-03-02 03:31Z')).toEqual(['sleep 60', MADE, 'sleep 600'])
  })

  test('tries again after ten minutes when one fails', () => {
    backups = mkdtempSync(join(folder, 'backups-'))
    expect(loop('fails', 2, '2026-03-02 12:00Z')).toEqual(['sleep 60', MADE, 'sleep 600', MADE, 'sleep 600'])
  })

  test('ignores foreign files', () => {
    backups = mkdtempSync(join(folder, 'backups-'))
    put('here.backup', '2026-03-02T11:00:00Z')
    expect(loop('works', 1, '2026-03-02 12:00Z')).toEqual(['sleep 60', MADE, 'sleep 600'])
  })
})

test('Prometheus asks by name, so that it misses a container that has ended', () => {
  const config = Bun.YAML.parse(read('deploy/prometheus-compose.yaml')) as {
    scrape_configs: { static_configs?: { targets: string[] }[] }[]
  }
  const targets = config.scrape_configs.flatMap(({ static_configs = [] }) => static_configs)
  expect(targets.flatMap(({ targets }) => targets)).toEqual(['api:9300', 'worker:9300'])
})

/** Without an engine: `config` only reads. */
const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0

test.if(hasCompose)('Docker reads compose.yaml, and the gateway of its network is trusted', () => {
  const project = mkdtempSync(join(folder, 'project-'))
  cpSync(join(root, 'compose.yaml'), join(project, 'compose.yaml'))
  const settings = 'BASE_URL=https://folkmoot.example\nSECRET_KEY=key\nPOSTGRES_PASSWORD=password\n'
  for (const [more, beginning] of [
    ['', '10.213.71'],
    ['SUBNET=10.9.8\n', '10.9.8'],
  ]) {
    writeFileSync(join(project, '.env'), settings + more)
    const { status, stdout, stderr } = spawnSync(
      'docker',
      ['compose', '--profile', 'metrics', 'config', '--format', 'json'],
      { cwd: project, env: { PATH: process.env.PATH, HOME: process.env.HOME }, encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([0, ''])
    const { services, networks } = JSON.parse(stdout) as Compose
    expect(networks.inner.ipam.config).toEqual([{ subnet: `${beginning}.0/24`, gateway: `${beginning}.1` }])
    expect(services.api?.environment?.TRUSTED_PROXIES).toBe(`${beginning}.1`)
  }
})
