import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { lockDataFolder } from '@/db/data-lock'

const script = join(import.meta.dir, '../support/hold-data-folder.ts')
const folders: string[] = []
const holders: Subprocess[] = []

afterAll(() => {
  for (const holder of holders) holder.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-lock-'))
  folders.push(folder)
  return folder
}

/** Another process that takes the lock, and what it says first. */
async function hold(folder: string) {
  const holder = Bun.spawn([process.execPath, script, folder], { stdout: 'pipe', stderr: 'ignore' })
  holders.push(holder)
  const { value } = await holder.stdout.getReader().read()
  return { holder, said: new TextDecoder().decode(value).trim() }
}

describe('the lock of a data folder', () => {
  for (const [what, text] of [
    ['is empty', ''],
    ['is cut off', '12'],
    ['holds something else', '\0\0\0\0\0\0\0\0'],
    ['names a process that died', '4194303 17'],
    ['names a number that was given again', `${process.ppid} 17`],
  ])
    test(`is taken over when it ${what}`, () => {
      const folder = newFolder()
      writeFileSync(join(folder, 'server.lock'), text as string)
      const unlock = lockDataFolder(folder)
      expect(readFileSync(join(folder, 'server.lock'), 'utf8')).toStartWith(`${process.pid} `)
      unlock()
      expect(() => readFileSync(join(folder, 'server.lock'))).toThrow('ENOENT')
    })

  test('is not blocked by read-only checks', async () => {
    const folder = newFolder()
    const look = `const { isLocked } = await import('@/db/data-lock'); console.log('looks'); for (;;) isLocked('${folder}')`
    const looker = Bun.spawn([process.execPath, '-e', look], { cwd: import.meta.dir, stdout: 'pipe' })
    holders.push(looker)
    await looker.stdout.getReader().read()
    for (let i = 0; i < 300; i += 1) lockDataFolder(folder)()
    looker.kill('SIGKILL')
  })

  test('is exclusive until its process ends, even by SIGKILL', async () => {
    const folder = newFolder()
    const { holder, said } = await hold(folder)
    expect(said).toBe('held')
    expect(() => lockDataFolder(folder)).toThrow(`(process ${holder.pid})`)
    // A lock that was emptied under its holder lets nobody in while it runs.
    writeFileSync(join(folder, 'server.lock'), '')
    expect(() => lockDataFolder(folder)).toThrow('already runs on the data folder')
    holder.kill('SIGKILL')
    await holder.exited
    lockDataFolder(folder)()
  })

  test('of an earlier release, which only wrote a pid file, is respected', () => {
    const folder = newFolder()
    const birth = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
    writeFileSync(join(folder, 'server.lock'), `${process.ppid} ${birth}`)
    expect(() => lockDataFolder(folder)).toThrow(`(process ${process.ppid})`)
  })

  test('of a dead process is taken over by exactly one of many', async () => {
    for (let round = 0; round < 3; round += 1) {
      const folder = newFolder()
      writeFileSync(join(folder, 'server.lock'), round === 0 ? '' : '4194303 17')
      const all = await Promise.all(Array.from({ length: 6 }, () => hold(folder)))
      expect(all.filter(({ said }) => said === 'held')).toHaveLength(1)
      for (const { holder } of all) holder.kill('SIGKILL')
    }
  })
})
