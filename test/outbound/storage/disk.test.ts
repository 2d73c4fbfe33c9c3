import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageArea } from '@/outbound/storage/area'
import { storage as current } from '@/outbound/storage/current'
import { diskStorage } from '@/outbound/storage/local/disk'
import { type Storage, StorageDown } from '@/outbound/storage/storage'
import { runSweeps } from '../../../workers/sweeps'

const newFolder = () => mkdtempSync(join(tmpdir(), 'folkmoot-storage-'))
const newStorage = (keepFree = 0) => {
  const folder = join(newFolder(), 'uploads')
  return { folder, storage: diskStorage({ folder, keepFree }) }
}

async function put(storage: Storage, name: string, text: string) {
  const path = storage.scratch()
  writeFileSync(path, text)
  await storage.adopt(name, path)
  return path
}

const textOf = (found: ReturnType<Storage['read']>) => (found as Blob | null)?.text()

async function namesIn(storage: Storage, prefix = '') {
  const names: string[] = []
  for await (const { name } of storage.list(prefix)) names.push(name)
  return names.sort()
}

const ID = '019a8f3e-7c1b-7d2a-9e4f-0123456789ab'
const OTHER = '019a8f3e-7c1b-7d2a-9e4f-0123456789cd'

describe('a storage on disk', () => {
  test('gives back what it took over, whole or in part', async () => {
    const { storage } = newStorage()
    const path = await put(storage, `files/${ID}`, 'what people sent')
    expect(existsSync(path)).toBe(false)
    expect(await textOf(storage.read(`files/${ID}`))).toBe('what people sent')
    expect(await textOf(storage.read(`files/${ID}`, { start: 5, end: 11 }))).toBe('people')
    const found = await storage.find(`files/${ID}`)
    expect(found).toMatchObject({ name: `files/${ID}`, size: 16 })
    expect(Math.abs((found?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    const borrowed = await storage.borrow(`files/${ID}`)
    expect(await Bun.file(borrowed?.path as string).text()).toBe('what people sent')
    await borrowed?.done()
    expect(await textOf(storage.read(`files/${ID}`))).toBe('what people sent')
  })

  test('has nothing where nothing is, and removes what is not there', async () => {
    const { storage } = newStorage()
    expect(await storage.read(`files/${ID}`)).toBeNull()
    expect(await storage.find(`files/${ID}`)).toBeNull()
    expect(await storage.borrow(`files/${ID}`)).toBeNull()
    await storage.remove(`files/${ID}`)
    expect(await namesIn(storage)).toEqual([])
    expect(await storage.leftovers(new Date())).toEqual([])
  })

  test('lists all, a kind, or the objects of one upload, and nothing else that lies there', async () => {
    const { folder, storage } = newStorage()
    const names = [`files/${ID}`, `files/${ID}.320.webp`, `files/${OTHER}`, `incoming/${OTHER}`]
    for (const name of names) await put(storage, name, name)
    mkdirSync(join(folder, 'files/ab/folder'))
    writeFileSync(join(folder, 'files/ab/.DS_Store'), '')
    writeFileSync(join(folder, 'files/00'), '')
    storage.scratch()
    expect(await namesIn(storage)).toEqual(names)
    expect(await namesIn(storage, 'files/')).toEqual(names.slice(0, 3))
    expect(await namesIn(storage, 'incoming/')).toEqual(names.slice(3))
    expect(await namesIn(storage, `files/${ID}`)).toEqual(names.slice(0, 2))
    await storage.remove(`files/${ID}`)
    expect(await namesIn(storage, 'files/')).toEqual(names.slice(1, 3))
  })

  test('replaces an object at once, and who is reading the old one reads on', async () => {
    const { storage } = newStorage()
    await put(storage, `files/${ID}`, 'a'.repeat(5_000_000))
    const reader = (storage.read(`files/${ID}`) as Blob).stream().getReader()
    let size = (await reader.read()).value?.byteLength ?? 0
    await put(storage, `files/${ID}`, 'new')
    expect(await textOf(storage.read(`files/${ID}`))).toBe('new')
    await storage.remove(`files/${ID}`)
    for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.byteLength
    expect(size).toBe(5_000_000)
  })

  test('takes a file from another file system, too', async () => {
    const { folder, storage } = newStorage()
    const elsewhere = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
    const path = join(elsewhere, `folkmoot-${crypto.randomUUID()}`)
    writeFileSync(path, 'from afar')
    await storage.adopt(`incoming/${ID}`, path)
    expect(existsSync(path)).toBe(false)
    expect(await textOf(storage.read(`incoming/${ID}`))).toBe('from afar')
    expect(existsSync(join(folder, 'scratch')) ? readdirSync(join(folder, 'scratch')) : []).toEqual([])
  })

  test('shows nothing of a file that it could not take over', async () => {
    const { folder, storage } = newStorage()
    await expect(storage.adopt(`files/${ID}`, join(folder, 'nowhere'))).rejects.toBeInstanceOf(StorageDown)
    expect(await namesIn(storage)).toEqual([])
    writeFileSync(join(folder, 'files', OTHER.slice(-2)), 'a file where the folder should be')
    const path = storage.scratch()
    writeFileSync(path, 'text')
    await expect(storage.adopt(`files/${OTHER}`, path)).rejects.toBeInstanceOf(StorageDown)
    expect(existsSync(path)).toBe(false)
  })

  test('throws for an invalid object name', async () => {
    const { folder, storage } = newStorage()
    writeFileSync(join(folder, '../outside'), 'secret')
    const bad = [
      ...[
        '',
        '.',
        '..',
        '/',
        'files',
        'files/',
        'files/..',
        'files/../../outside',
        '../outside',
        '/etc/passwd',
      ],
      ...[`files/${ID}/`, `files/${ID}\0`, `files/${ID}\n`, `files//${ID}`, `/files/${ID}`, `other/${ID}`],
      ...[`files/${ID.toUpperCase()}`, `files/${ID}.320`, `files/${ID}.320.exe`, `files/${ID}.0.jpg`],
      ...[`incoming/${ID}.320.jpg`, `files/${ID}.320.jpg/..`, `files\\${ID}`, 'files/%2e%2e/outside'],
    ]
    for (const name of bad) {
      expect(() => storage.read(name)).toThrow('not the name of an object')
      for (const attempt of [storage.find, storage.borrow, storage.remove])
        await expect(attempt(name)).rejects.toThrow('not the name of an object')
      await expect(storage.adopt(name, storage.scratch())).rejects.toThrow('not the name of an object')
    }
    for (const prefix of ['..', 'files/..', 'scratch/', `files/${ID}.`, 'fil'])
      expect(() => storage.list(prefix)).toThrow('not the beginning')
  })

  test('is closed to other users of the machine', async () => {
    const { folder, storage } = newStorage()
    await put(storage, `files/${ID}`, 'text')
    for (const inner of ['', 'files', `files/${ID.slice(-2)}`, 'scratch'])
      expect(statSync(join(folder, inner)).mode & 0o077).toBe(0)
  })

  test('knows files that were never finished by their age', async () => {
    const { storage } = newStorage()
    const [old, young] = [storage.scratch(), storage.scratch()]
    for (const path of [old, young]) writeFileSync(path, 'half of')
    utimesSync(old, new Date(Date.now() - 7_200_000), new Date(Date.now() - 7_200_000))
    const found = await storage.leftovers(new Date(Date.now() - 3_600_000))
    expect(found).toEqual([{ path: old, size: 7, modifiedAt: expect.any(Date) }])
  })

  test('is swept of them after an hour', async () => {
    const [old, young] = [current.scratch(), current.scratch()]
    for (const path of [old, young]) writeFileSync(path, 'half of')
    utimesSync(old, new Date(Date.now() - 3_700_000), new Date(Date.now() - 3_700_000))
    await runSweeps(storageArea.sweeps)
    expect([old, young].map((path) => existsSync(path))).toEqual([false, true])
  })

  test('has no freeBytes for uploads once only the kept part of the disk is free', async () => {
    const freeBytes = await newStorage().storage.freeBytes()
    expect(freeBytes).toBeGreaterThan(0)
    expect(await newStorage(Number.MAX_SAFE_INTEGER).storage.freeBytes()).toBe(0)
    const less = await newStorage(1_000_000).storage.freeBytes()
    expect(less).toBeLessThan((freeBytes as number) + 500_000_000)
  })

  test('says that it is down when its folder cannot be used', async () => {
    const folder = join(newFolder(), 'file')
    writeFileSync(folder, '')
    const storage = diskStorage({ folder, keepFree: 0 })
    expect(() => storage.scratch()).toThrow(StorageDown)
    await expect(storage.freeBytes()).rejects.toBeInstanceOf(StorageDown)
    await expect(storage.adopt(`files/${ID}`, join(folder, 'nowhere'))).rejects.toBeInstanceOf(StorageDown)
  })
})
