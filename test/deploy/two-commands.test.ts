import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeBase } from '../support/machine/base'
import { bootMachine, type Machine } from '../support/machine/machine'

// Types the two commands of the README into a machine that has Node, npm and nothing else. It has no network: npm and Bun
// find their packages in the caches of this machine.

const MINUTE = 60_000
const ROOT = join(import.meta.dir, '../..')
const [up = '', run = ''] =
  readFileSync(join(ROOT, 'README.md'), 'utf8').match(/^npx \S.* run (up|test)\b/gm) ?? []
const folder = mkdtempSync(join(tmpdir(), 'commands-'))
let machine: Machine

beforeAll(async () => {
  const base = makeBase(folder, [])
  const npm = dirname(
    dirname(realpathSync(Bun.which('npx') ?? expect.unreachable('This test needs Node and npm.'))),
  )
  symlinkSync('/mnt/npm/bin/npx-cli.js', join(base, 'usr/local/bin/npx'))
  host(`chroot ${base} useradd --create-home --shell /bin/bash ada`)
  writeFileSync(join(base, 'root/first-page.mjs'), FIRST_PAGE)
  const cache = join(folder, 'npm')
  // A prefix without packages: npx uses a Bun that is installed globally.
  host(
    `cd ${folder} && npm_config_prefix=${folder}/none npm_config_cache=${cache} ${up.replace(/run up$/, '--version')}`,
  )
  host(`rm -rf ${cache}/_npx ${cache}/_logs`)
  for (const home of [join(base, 'root'), join(base, 'home/ada')]) {
    host(
      `mkdir ${home}/folkmoot && git ls-files -z | xargs -0 cp --parents --target-directory=${home}/folkmoot`,
    )
    host(`cp -r ${cache} ${home}/.npm`)
    writeFileSync(join(home, '.npmrc'), 'yes=false\noffline=true\n')
  }
  machine = await bootMachine(base, {
    name: 'bare',
    names: [],
    binds: { '/usr/local/bin/node': realpathSync(Bun.which('node') as string), '/mnt/npm': npm },
    overlays: {
      '/root/.bun/install/cache': join(homedir(), '.bun/install/cache'),
      '/home/ada/.bun/install/cache': join(homedir(), '.bun/install/cache'),
    },
  })
  await machine.run(
    'chown -R ada: /home/ada/folkmoot /home/ada/.npm; chown ada: /home/ada/.bun /home/ada/.bun/install{,/cache}',
  )
}, 10 * MINUTE)

afterAll(() => machine?.stop(), MINUTE)

/** Waits for the first answer, which has to be a page with pictures, each of which is there. */
const FIRST_PAGE = `
const base = 'http://127.0.0.1:3000'
let page
for (let attempt = 0; attempt < 1200 && !page; attempt += 1) {
  page = await fetch(base, { headers: { accept: 'text/html' } }).catch(() => new Promise((resolve) => setTimeout(resolve, 100)))
}
const sources = [...(await page.text()).matchAll(/<img [^>]*?src="([^"]+)"/g)].map(([, source]) => source)
const answers = await Promise.all(sources.map((source) => fetch(new URL(source, base))))
const shown = answers.filter(({ status, headers }) => status === 200 && headers.get('content-type').startsWith('image/'))
console.log(JSON.stringify({ status: page.status, hasPictures: sources.length > 5, missing: sources.length - shown.length }))
`

function host(script: string) {
  const { status, stderr } = spawnSync('bash', ['-ec', script], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} failed:\n${stderr.slice(-2000)}`)
}

describe.each([
  ['root', '/root'],
  ['ada', '/home/ada'],
])('as %s, where npm must not ask', (user, home) => {
  const type = (command: string) =>
    machine.run(`runuser --login ${user} --command 'cd folkmoot && ${command}'`)

  test(
    'a command without --yes is refused',
    async () => {
      const { status, output } = await type(up.replace(' --yes', ''))
      expect([status, output]).toEqual([1, expect.stringContaining('no YES option')])
    },
    MINUTE,
  )

  test(
    'the first command starts a server, whose first page has its pictures',
    async () => {
      const unit = `--unit=up-${user} --uid=${user} --working-directory=${home}/folkmoot --setenv=HOME=${home}`
      await machine.run(`systemd-run --quiet ${unit} ${up}`)
      const { output } = await machine.run(`node first-page.mjs || journalctl --output=cat --unit=up-${user}`)
      expect(output.trim()).toBe('{"status":200,"hasPictures":true,"missing":0}')
      await machine.run(`systemctl stop up-${user}`)
    },
    3 * MINUTE,
  )

  test(
    'the second command runs tests',
    async () => {
      const { status, output } = await type(`${run} test/core/`)
      expect([status, output]).toEqual([0, expect.stringMatching(/^\d+ passed, 0 failed/m)])
    },
    3 * MINUTE,
  )
})
