import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBase } from '../support/machine/base'
import { bootMachine, type Machine } from '../support/machine/machine'
import { packagesOf, scriptAfter, stepsOfTheEvening, withInstead } from '../support/machine/page'
import { makeReleases } from '../support/machine/release'

// Types what docs/operations/ says into machines that boot with systemd, word for word but for what a container has not got:
// the network, a mail server, a certificate authority and somebody at an editor.

const MINUTE = 60_000
/** Of whatever date the page has chosen. */
const BACKUP = /folkmoot-\d{4}-\d\d-\d\dT\d{6}Z\.backup/g
const steps = stepsOfTheEvening()
const step = (name: string) => steps.get(name) ?? expect.unreachable(`The page has no step "${name}"`)
const [, tag = ''] = /--branch (v\S+)/.exec(step('User and code')) ?? []
const [, next = ''] = /git checkout (v\S+)/.exec(step('Once a month')) ?? []

const folder = mkdtempSync(join(tmpdir(), 'machines-'))
let base = ''
let here: Machine
let other: Machine

beforeAll(() => {
  base = makeBase(folder, [...packagesOf(steps.values()), 'openssl', 'pebble', 'python3-aiosmtpd'])
  writeFileSync(join(base, 'root/mail.py'), MAIL_SERVER)
  writeFileSync(join(base, 'etc/systemd/system/mail.service'), MAIL_UNIT)
  writeFileSync(join(base, 'root/authority.json'), JSON.stringify(AUTHORITY))
  makeReleases(folder, tag, next)
}, 10 * MINUTE)

afterAll(async () => {
  await here?.stop()
  await other?.stop()
}, 2 * MINUTE)

/** Takes whatever is sent and keeps each mail in a file. */
const MAIL_SERVER = `
import asyncio, itertools, os
from aiosmtpd.controller import Controller
number = itertools.count(1)
class Keep:
    async def handle_DATA(self, server, session, envelope):
        with open(f'/root/mail/{next(number)}.eml', 'wb') as file: file.write(envelope.content)
        return '250 OK'
os.makedirs('/root/mail', exist_ok=True)
Controller(Keep(), hostname='127.0.0.1', port=25).start()
asyncio.new_event_loop().run_forever()
`

const MAIL_UNIT = `
[Service]
ExecStart=/usr/bin/python3 /root/mail.py
[Install]
WantedBy=multi-user.target
`

const AUTHORITY = {
  pebble: {
    listenAddress: '127.0.0.1:14000',
    managementListenAddress: '127.0.0.1:15000',
    certificate: '/root/authority.pem',
    privateKey: '/root/authority.key',
    httpPort: 80,
    tlsPort: 443,
  },
}

const bare = async (name: string) => {
  const machine = await bootMachine(base, {
    name,
    names: ['meet.example.org'],
    binds: { '/mnt/bun': process.execPath, '/mnt/folkmoot.git': join(folder, 'folkmoot.git') },
    overlays: { '/root/.bun/install/cache': join(homedir(), '.bun/install/cache') },
  })
  await type(machine, 'systemctl enable --now --quiet mail')
  return machine
}

/** Runs a script, which has to succeed. */
async function type(machine: Machine, script: string, cwd = '/root'): Promise<string> {
  const { status, output } = await machine.run(script, cwd)
  if (status !== 0) throw new Error(`It ended with ${status}:\n${script}\n${output.slice(-4000)}`)
  return output
}

const SETTINGS = [
  's|^BASE_URL=.*|BASE_URL=https://meet.example.org|',
  's|^SITE_NAME=.*|SITE_NAME=The Moot|',
  's|^# SMTP_URL=.*|SMTP_URL=smtp://127.0.0.1:25|',
  's|^# MAIL_FROM=.*|MAIL_FROM=hello@meet.example.org|',
]

async function installFolkmoot(machine: Machine) {
  await type(
    machine,
    withInstead(step('Packages and Bun'), [
      [/^apt update$/m, ''],
      [/^apt install /m, 'apt-get install --yes '],
      [/^curl -fsSL https:\S+ \| BUN_INSTALL=.*$/m, 'install -D /mnt/bun /usr/local/bin/bun'],
    ]),
  )
  await type(
    machine,
    withInstead(step('User and code'), [[/ADDRESS-OF-THE-REPOSITORY/, '/mnt/folkmoot.git']]),
  )
  const edit = `sed -i ${SETTINGS.map((line) => `-e '${line}'`).join(' ')}`
  await type(machine, withInstead(step('Settings'), [[/^editor /m, `${edit} `]]), '/srv/folkmoot')
}

/** What doctor calls anything else than ok. */
const complaints = (output: string) =>
  [...output.matchAll(/^(?:wrong|warning) +(\w[\w -]*?)(?= {2}|$)/gm)].map(([, thing]) => thing)

/** A script that goes on when this command has succeeded, and fails when it does not within half a minute. */
const until = (command: string) =>
  `for i in $(seq 150); do if ${command} > /dev/null; then break; fi; sleep 0.2; done; ${command} > /dev/null`

const untilReady = (machine: Machine) => type(machine, until(`curl -sf http://127.0.0.1:3000/readyz`))

test(
  'steps 1 to 4: a server that starts under systemd',
  async () => {
    here = await bare('here')
    await installFolkmoot(here)
    const output = await type(
      here,
      withInstead(step('Server'), [[/^folkmoot doctor/m, 'folkmoot doctor || true']]),
      '/srv/folkmoot',
    )
    expect(output).toContain('{"status":"ready"}')
    expect(complaints(output)).toEqual(['public address', 'administrators', 'backup'])
    expect(await type(here, 'systemd-analyze security folkmoot | tail -1')).toContain(': 1.3 OK')
  },
  5 * MINUTE,
)

test(
  'step 5: a certificate, and the proxy',
  async () => {
    await type(
      here,
      `openssl req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out authority.pem -subj /CN=authority -addext subjectAltName=IP:127.0.0.1 2> /dev/null
    systemd-run --quiet --setenv=PEBBLE_VA_NOSLEEP=1 --setenv=PEBBLE_WFE_NONCEREJECT=0 /usr/bin/pebble -config /root/authority.json
    ${until('curl -sk https://127.0.0.1:14000/dir')}`,
    )
    const ours =
      '--server https://127.0.0.1:14000/dir --no-verify-ssl --non-interactive --agree-tos --register-unsafely-without-email'
    const output = await type(
      here,
      withInstead(step('Certificate and proxy'), [
        [/^certbot certonly /m, `certbot certonly ${ours} `],
        [/^curl -s /m, 'curl -sk '],
      ]),
      '/srv/folkmoot',
    )
    expect(output).toContain('{"status":"ready"}')
  },
  3 * MINUTE,
)

test(
  'step 6: the link signs the first administrator in',
  async () => {
    const output = await type(here, step('First administrator'))
    const [link = ''] = /https:\/\/\S+/.exec(output) ?? []
    const page = await type(here, `curl -sk '${link}'`)
    expect(page).toContain('<form')
    expect(complaints(await type(here, 'folkmoot doctor || true'))).toEqual(['public address', 'backup'])
  },
  MINUTE,
)

test(
  'step 7: a backup now, and one every night',
  async () => {
    const output = await type(here, step('Backups'))
    expect(output).toMatch(/-rw------- 1 folkmoot folkmoot +\d+ .* folkmoot-\S+\.backup/)
    expect(await type(here, 'systemctl list-timers folkmoot-backup.timer')).toMatch(/ 03:[345]\d:\d\d /)
  },
  2 * MINUTE,
)

test(
  'step 8: a mail says that the server is down, and one that it is up again',
  async () => {
    const mailServer = [
      's|smtp_smarthost: .*|smtp_smarthost: 127.0.0.1:25|',
      '/smtp_auth/d',
      's|# smtp_require_tls|smtp_require_tls|',
      's|- to: .*|- to: you@example.org|',
    ]
    const edit = `sed -i ${mailServer.map((line) => `-e '${line}'`).join(' ')}`
    const output = await type(
      here,
      withInstead(step('Alerts'), [
        [/^apt install /m, 'apt-get install --yes '],
        [/^editor (\S+prometheus\.yml)$/m, 'true $1'],
        [/^editor (\S+alertmanager\.yml)$/m, `${edit} $1`],
      ]),
      '/srv/folkmoot',
    )
    expect(output).toContain('"health":"up"')
    await type(here, 'systemctl stop folkmoot')
    await letter(/^Subject: .*FolkmootDown/m)
    await type(here, 'systemctl start folkmoot')
    await untilReady(here)
    await letter(/^Subject: .*FolkmootDown is over/m)
  },
  10 * MINUTE,
)

/** Waits for a mail of the machine, the four minutes of the page and some more. */
async function letter(like: RegExp): Promise<string> {
  const mails = join(here.root, 'root/mail')
  for (const giveUpAt = performance.now() + 6 * MINUTE; performance.now() < giveUpAt; await Bun.sleep(500)) {
    const found = readdirSync(mails)
      .map((name) => readFileSync(join(mails, name), 'utf8'))
      .find((text) => like.test(text))
    if (found) return found
  }
  throw new Error(`No mail is like ${like}`)
}

test(
  'step 9: several processes, all of which come back after a kill and a reboot',
  async () => {
    await type(here, 'echo PROCESSES=2 >> /etc/folkmoot/folkmoot.env; systemctl restart folkmoot')
    await untilReady(here)
    const untilAllAreThere = () =>
      type(
        here,
        until('test "$(curl -s http://127.0.0.1:9300/metrics | grep -c ^process_start_time_seconds)" = 3'),
      )
    await untilAllAreThere()
    await type(here, 'kill -KILL $(systemctl show --property=MainPID --value folkmoot); sleep 3')
    await untilReady(here)
    await untilAllAreThere()
    await type(here, 'kill -KILL $(pgrep -f src/api-process.ts | tail -1)')
    await untilAllAreThere()
    const urgent = await type(here, 'journalctl -u folkmoot -p warning -o cat')
    expect(urgent).toContain('a process has ended and is started again')
    await here.reboot()
    await untilReady(here)
    await untilAllAreThere()
    expect(await type(here, 'curl -sk https://meet.example.org/readyz')).toContain('{"status":"ready"}')
  },
  3 * MINUTE,
)

test(
  'a restore on another machine has what was there',
  async () => {
    const [, token = ''] =
      /"token": *"([^"]+)"/.exec(
        await type(
          here,
          'folkmoot token create you@example.org --name Look --scopes read:user,user:email --json',
        ),
      ) ?? []
    const made = await type(here, `systemctl start folkmoot-backup; ls -t /var/backups/folkmoot | head -1`)
    const name = made.trim()
    other = await bare('other')
    await installFolkmoot(other)
    const source = join(here.root, 'var/backups/folkmoot', name)
    expect(statSync(source).mode & 0o777).toBe(0o600)
    await Bun.write(join(other.root, 'srv/folkmoot', name), Bun.file(source))
    const output = await type(other, step('On another machine').replaceAll(BACKUP, name), '/srv/folkmoot')
    expect(output).toContain('The community is as it was at ')
    await type(other, withInstead(step('Server'), [[/^(?:curl|folkmoot) .*$/gm, '']]), '/srv/folkmoot')
    await untilReady(other)
    const me = await type(
      other,
      `curl -s -H 'host: meet.example.org' -H 'authorization: Bearer ${token}' http://127.0.0.1:3000/v1/me`,
    )
    expect(JSON.parse(me)).toMatchObject({ data: { email: 'you@example.org' } })
  },
  5 * MINUTE,
)

test(
  'step 10: an upgrade to the next release, and back',
  async () => {
    await type(here, step('Once a month'))
    await untilReady(here)
    expect(await type(here, 'folkmoot --version')).toContain(next.slice(1))
    expect(complaints(await type(here, 'folkmoot doctor || true'))).toEqual(['public address'])
    const newest = (await type(here, 'ls -t /var/backups/folkmoot | head -1')).trim()
    await type(here, scriptAfter('**To go back**').replace(BACKUP, newest))
    await untilReady(here)
    expect(await type(here, 'folkmoot --version')).toContain(tag.slice(1))
    expect(complaints(await type(here, 'folkmoot doctor || true'))).toEqual(['public address'])
  },
  6 * MINUTE,
)
