import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedDataFolder } from '@/config/data-folder'
import { unusable } from '@/config/error'
import { hasEmbeddedPostgres } from '@/db/embedded-postgres/start'

const MODE = process.getuid?.() === 0 ? 0o711 : 0o700
const modeOf = (path: string) => statSync(path).mode & 0o7777
const parent = () => mkdtempSync(join(tmpdir(), 'folkmoot-folder-'))

describe('the data folder', () => {
  test('is created private, with its parents, independent of the umask', () => {
    const above = parent()
    const umask = process.umask(0)
    closedDataFolder(join(above, 'a/data'))
    process.umask(umask)
    expect([modeOf(join(above, 'a')), modeOf(join(above, 'a/data'))]).toEqual([MODE, MODE])
  })

  test('is closed again if it is open, with its content', () => {
    const folder = parent()
    for (const name of ['secret-key', 'postgres-password', 'postgres.log', 'demo.json', 'server.lock']) {
      writeFileSync(join(folder, name), '')
      chmodSync(join(folder, name), 0o644)
    }
    for (const found of [0o755, 0o777, 0o750, 0o770]) {
      chmodSync(folder, found)
      closedDataFolder(folder)
      expect(modeOf(folder)).toBe(found & MODE)
    }
    for (const name of ['secret-key', 'postgres-password', 'postgres.log', 'demo.json', 'server.lock'])
      expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600])
  })

  test('is refused if it holds foreign files or is shared', () => {
    const folder = parent()
    mkdirSync(join(folder, 'photos'))
    chmodSync(folder, 0o755)
    expect(() => closedDataFolder(folder)).toThrow(
      /^The data folder .* is open to others \(mode 755\) and holds what is not of Folkmoot: set DATA_DIR to a new folder inside it/,
    )
    writeFileSync(join(folder, 'secret-key'), '')
    chmodSync(folder, 0o1777)
    expect(() => closedDataFolder(folder)).toThrow(/^The data folder .* is open to others \(mode 1777\)/)
    expect(modeOf(folder)).toBe(0o1777)
  })
})

describe('a folder of another user', () => {
  const owner = process.getuid?.() ?? 0
  const spies: { mockRestore(): void }[] = []
  /** As if somebody else ran this: what is made here is not theirs. */
  const asStranger = () => {
    spies.push(spyOn(process, 'getuid' as never).mockReturnValue(4711 as never))
    spies.push(spyOn(process, 'getgid' as never).mockReturnValue(4712 as never))
  }
  afterEach(() => {
    for (const spy of spies.splice(0)) spy.mockRestore()
  })
  const denied = (folder: string, path: string) =>
    unusable(folder, Object.assign(new Error('EACCES'), { code: 'EACCES', path })).message

  test('is named with its owner and the command that changes it', () => {
    const folder = parent()
    const lock = join(folder, 'server.lock')
    writeFileSync(lock, '')
    expect(denied(folder, lock)).toContain('make it writable')
    asStranger()
    expect(denied(folder, lock)).toMatch(
      new RegExp(
        `^${lock} belongs to .*user id ${owner}\\)?, and this is run by user id 4711: as root, run "chown -R 4711:4712 ${folder}" while no server runs on it\\.$`,
      ),
    )
    expect(denied(folder, join(folder, 'missing'))).toStartWith(`${folder} belongs to `)
    mkdirSync(join(folder, 'postgres'))
    expect(() => hasEmbeddedPostgres(folder)).toThrow(
      `as root, run "chown -R 4711:4712 ${folder}" while no server`,
    )
  })

  test('is never a parent of the data folder', () => {
    const above = parent()
    asStranger()
    const folder = join(above, 'data')
    expect(denied(folder, folder)).toEndWith(`: as root, run "install -d -m 0700 -o 4711 -g 4712 ${folder}".`)
    expect(denied(folder, folder)).not.toContain('chown')
  })
})
