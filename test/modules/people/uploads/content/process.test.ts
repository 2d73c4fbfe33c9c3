import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  askInspector,
  endInspector,
  inspect,
  inspectorPid,
  LIMITS,
} from '@/modules/people/uploads/content/inspect'

import { drawn, noise } from './drawn'
import { inspected, taken } from './files'

afterEach(endInspector)

const small = () => drawn(64, 64).png().toBuffer()
const large = () => noise(2000, 2000).jpeg().toBuffer()
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

async function until(holds: () => boolean) {
  while (!holds()) await Bun.sleep(5)
}

describe('the child process', () => {
  test('stays for the next file, and takes one at a time', async () => {
    const files = await Promise.all(Array.from({ length: 5 }, small))
    await taken(files[0]!, 'image/png')
    const pid = inspectorPid()
    await Promise.all(files.map((file) => taken(file, 'image/png')))
    expect(inspectorPid()).toBe(pid)
  })

  test('knows none of our secrets, and steps back behind requests', async () => {
    await taken(await small(), 'image/png')
    const environment = readFileSync(`/proc/${inspectorPid()}/environ`, 'utf8').split('\0').filter(Boolean)
    // The channel to us is named there, too.
    expect(environment.filter((one) => !one.startsWith('NODE_CHANNEL_'))).toEqual(['MALLOC_ARENA_MAX=2'])
    expect(readFileSync(`/proc/${inspectorPid()}/oom_score_adj`, 'utf8').trim()).toBe('1000')
    expect(readFileSync(`/proc/${inspectorPid()}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]).toBe('19')
  })

  test('that is killed while it waits or works is replaced', async () => {
    await taken(await small(), 'image/png')
    const waiting = inspectorPid() as number
    process.kill(waiting, 'SIGKILL')
    await until(() => !isAlive(waiting))
    await taken(await small(), 'image/png')

    const working = inspectorPid() as number
    const pending = taken(await large(), 'image/jpeg')
    await Bun.sleep(0)
    process.kill(working, 'SIGKILL')
    const { sizes } = await pending
    expect(sizes.length).toBe(10)
    expect(inspectorPid()).not.toBe(working)
  })

  test('that another process kills twice leaves the file for later, and takes the next one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'killed-'))
    const path = join(folder, 'sent')
    await Bun.write(path, await large())
    const declared = { contentType: 'image/jpeg', size: Bun.file(path).size }
    let count = 0
    const pending = inspect(path, declared, () => join(folder, String(++count)))
    pending.catch(() => {})
    for (const time of ['once', 'again']) {
      await until(() => readdirSync(folder).length > 1)
      const pid = inspectorPid() as number
      process.kill(pid, 'SIGKILL')
      await until(() => !isAlive(pid))
      // What the first one wrote must not be taken for the work of the second.
      if (time === 'once')
        for (const name of readdirSync(folder)) if (name !== 'sent') rmSync(join(folder, name))
    }
    await expect(pending).rejects.toThrow('The check of a file was ended: killed')
    expect(readdirSync(folder)).toEqual(['sent'])
    await taken(await small(), 'image/png')
  })

  test('is ended when a file takes too much time or memory', async () => {
    const path = join(tmpdir(), 'large.jpg')
    await Bun.write(path, await large())
    const declared = { contentType: 'image/jpeg', size: Bun.file(path).size }
    const scratch = Array.from({ length: 11 }, (_, index) => `${path}.${index}`)
    const ask = (limits: Partial<typeof LIMITS>) =>
      askInspector({ path, declared, scratch }, { ...LIMITS, ...limits })
    await taken(await small(), 'image/png')
    for (const [limits, ended] of [
      [{ memoryMb: 10 }, 'memory'],
      [{ cpuSeconds: 0 }, 'time'],
      [{ clockSeconds: 0 }, 'clock'],
    ] as const) {
      const before = inspectorPid() as number
      expect(await ask(limits)).toEqual({ ended })
      expect(isAlive(before)).toBe(false)
      await taken(await small(), 'image/png')
    }
  })

  test('ends when we end, however that happens', async () => {
    const files = join(import.meta.dir, 'files.ts')
    const inspector = join(import.meta.dir, '../../../../../src/modules/people/uploads/content/inspect.ts')
    const script = `const { taken } = await import('${files}'); const { inspectorPid } = await import('${inspector}')
      await taken('a', 'application/octet-stream'); console.log(inspectorPid()); setInterval(() => {}, 1000)`
    const parent = Bun.spawn([process.execPath, '-e', script], {
      stdout: 'pipe',
      env: { FOLKMOOT_MODE: 'test', TMPDIR: tmpdir() },
    })
    const { value } = await parent.stdout.getReader().read()
    const pid = Number(new TextDecoder().decode(value))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await until(() => !isAlive(pid))
  })

  test('does not keep us from ending', async () => {
    const files = join(import.meta.dir, 'files.ts')
    const script = `const { taken } = await import('${files}'); await taken('a', 'application/octet-stream')`
    const parent = Bun.spawn([process.execPath, '-e', script], {
      env: { FOLKMOOT_MODE: 'test', TMPDIR: tmpdir() },
    })
    expect(await parent.exited).toBe(0)
  })
})

describe('a machine at fault', () => {
  test('is not the fault of the file', async () => {
    const path = join(import.meta.dir, 'files.ts')
    const declared = { contentType: 'application/octet-stream', size: Bun.file(path).size }
    await expect(inspect(path, declared, () => '/proc/nowhere/file')).rejects.toMatchObject({
      code: 'ENOENT',
    })
    await expect(inspect('/nowhere', declared, () => '/proc/nowhere/file')).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect((await inspected('a', 'application/octet-stream')).left).toEqual([])
  })
})
