import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const text = readFileSync(join(import.meta.dir, '../../deploy/folkmoot'), 'utf8')
/** Root can read everything, so it has to become somebody else, as it does with the units. */
const user = userInfo().uid === 0 ? 'nobody' : userInfo().username

/** The command as it is installed, with settings in a folder of its own and a program in Bun's place that says what it was given. */
function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'wrapper-'))
  chmodSync(folder, 0o755)
  if (process.env.TEST_FOLDER) chmodSync(process.env.TEST_FOLDER, 0o711)
  const [command, settings] = [join(folder, 'folkmoot'), join(folder, 'folkmoot.env')]
  writeFileSync(
    command,
    text
      .replaceAll('/etc/folkmoot/folkmoot.env', settings)
      .replaceAll('/usr/local/bin/bun', '/bin/echo')
      .replaceAll('/srv/folkmoot', folder)
      .replaceAll('!= folkmoot', `!= ${user}`)
      .replaceAll('-u folkmoot', `-u ${user}`),
  )
  chmodSync(command, 0o755)
  writeFileSync(settings, 'BASE_URL=https://folkmoot.example\n')
  return {
    settings,
    run: () => {
      const { status, stdout, stderr } = spawnSync(command, ['restore', 'FILE'], {
        cwd: folder,
        encoding: 'utf8',
      })
      return { status, stdout: stdout.replaceAll(folder, '…'), stderr: stderr.replaceAll(folder, '…') }
    },
  }
}

const REFUSED = {
  status: 1,
  stdout: '',
  stderr: expect.stringMatching(
    /^The settings …\/folkmoot\.env are missing, or the user folkmoot cannot.+\.\n$/,
  ),
}

test('a command is run with the settings of the server', () => {
  const { settings, run } = installed()
  chmodSync(settings, 0o644)
  const stdout = '--env-file=…/folkmoot.env …/src/folkmoot.ts restore FILE\n'
  expect(run()).toEqual({ status: 0, stdout, stderr: '' })
})

test('without them nothing is run', () => {
  const { settings, run } = installed()
  rmSync(settings)
  expect(run()).toEqual(REFUSED)
})

test('nor with settings that its user cannot read', () => {
  const { settings, run } = installed()
  chmodSync(settings, 0o000)
  expect(run()).toEqual(REFUSED)
})
