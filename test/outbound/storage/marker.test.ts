import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStorage } from '@/outbound/storage/local/disk'
import { type Storage, StorageDown } from '@/outbound/storage/storage'
import { put } from '../../support/upload-world'

const MARKER = '.folkmoot-storage'
const ID = '019a8f3e-7c1b-7d2a-9e4f-0123456789ab'
const OTHER = '019a8f3e-7c1b-7d2a-9e4f-0123456789cd'

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'folkmoot-marker-')), 'uploads')
const open = (folder: string, isBegun: boolean | (() => Promise<boolean>) = false) =>
  diskStorage({
    folder,
    keepFree: 0,
    mayBegin: typeof isBegun === 'function' ? isBegun : async () => !isBegun,
  })

const fileBeside = (folder: string) => {
  const path = join(folder, '..', crypto.randomUUID())
  writeFileSync(path, 'text')
  return path
}

/** All that touches a storage, each with a file that is not there. */
const attempts = (storage: Storage, folder: string): Record<string, () => unknown> => ({
  read: () => storage.read(`files/${OTHER}`),
  find: () => storage.find(`files/${OTHER}`),
  borrow: () => storage.borrow(`files/${OTHER}`),
  list: () => Array.fromAsync(storage.list('')),
  freeBytes: () => storage.freeBytes(),
  remove: () => storage.remove(`files/${OTHER}`),
  adopt: () => storage.adopt(`files/${OTHER}`, fileBeside(folder)),
})

async function refusals(tried: Record<string, () => unknown>): Promise<string[]> {
  const refused: string[] = []
  for (const [name, attempt] of Object.entries(tried))
    await Promise.try(attempt).catch((error) => {
      expect(error).toBeInstanceOf(StorageDown)
      refused.push(name)
    })
  return refused
}

describe('the folder of a storage', () => {
  test('is begun with a marker, which is no object', async () => {
    const folder = newFolder()
    await put(open(folder), `files/${ID}`, 'text')
    expect(readdirSync(folder)).toContain(MARKER)
    expect((await Array.fromAsync(open(folder).list(''))).map(({ name }) => name)).toEqual([`files/${ID}`])
  })

  test('is not made by those who only look', async () => {
    const folder = newFolder()
    const { freeBytes: _, adopt: __, ...looking } = attempts(open(folder), folder)
    expect(await refusals(looking)).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  test('that goes while the process runs is missed, not replaced, and is right again when it comes back', async () => {
    const folder = newFolder()
    const storage = open(folder)
    await put(storage, `files/${ID}`, 'text')
    const tried = { ...attempts(storage, folder), scratch: () => storage.scratch() }
    renameSync(folder, `${folder}-unmounted`)
    expect(await refusals(tried)).toEqual(Object.keys(tried))
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    expect(await refusals(tried)).toEqual(Object.keys(tried))
    expect(readdirSync(folder)).toEqual([])
    expect(readdirSync(join(folder, '..'))).toHaveLength(2)
    rmSync(folder, { recursive: true })
    renameSync(`${folder}-unmounted`, folder)
    expect(await refusals(tried)).toEqual([])
    expect(await (storage.read(`files/${ID}`) as Blob).text()).toBe('text')
  })

  test('that is empty although files were stored is refused, and what to check is said', async () => {
    const folder = newFolder()
    const tried = attempts(open(folder, true), folder)
    expect(await refusals(tried)).toEqual(Object.keys(tried))
    expect(existsSync(folder)).toBe(false)
    await expect(open(folder, true).freeBytes()).rejects.toThrow(
      `The folder ${folder} holds none of the files that the database knows: check that its disk is mounted and that STORAGE_URL is right`,
    )
  })

  test('is accepted with a marker or with files', async () => {
    const folder = newFolder()
    await put(open(folder), `files/${ID}`, 'text')
    const never = () => Promise.reject(new Error('asked'))
    expect(await open(folder, never).freeBytes()).toBeGreaterThan(0)
    rmSync(join(folder, MARKER))
    expect(await open(folder, never).freeBytes()).toBeGreaterThan(0)
    expect(existsSync(join(folder, MARKER))).toBe(true)
    rmSync(join(folder, 'files'), { recursive: true })
    expect(await open(folder, true).find(`files/${ID}`)).toBeNull()
  })
})
