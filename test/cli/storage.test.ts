import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newId } from '@/core/ids'
import { diskStorage, placeOf } from '@/outbound/storage/local/disk'
import { copyAll, type Progress } from '@/outbound/storage/move'
import { type Storage, StorageDown } from '@/outbound/storage/storage'
import { seedEvent } from '../support/seed'
import { put, uploadWorld } from '../support/upload-world'

const longAgo = new Date(Date.now() - 7_200_000)

const newStorage = () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-to-'))
  return { folder, url: pathToFileURL(folder).href, storage: diskStorage({ folder, keepFree: 0 }) }
}

const namesIn = async (storage: Storage) =>
  (await Array.fromAsync(storage.list(''))).map(({ name }) => name).sort()

describe('folkmoot storage doctor', () => {
  test('finds no difference for rows and objects of every state', async () => {
    const { insert, ready, storage, folkmoot } = await uploadWorld()
    await ready()
    await ready()
    const [received, expected, removed] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await put(storage, `incoming/${received}`, 'four')
    await insert({ state: 'received', incoming: received }, [])
    await insert({ state: 'requested', incoming: expected }, [])
    await insert({ state: 'requested' }, [])
    await insert({ state: 'refused', reason: 'It is no picture' }, [])
    await put(storage, `files/${removed}`, 'going')
    await insert({ state: 'removed', file: removed }, [])
    await insert({ state: 'removed', file: crypto.randomUUID() }, [])
    await put(storage, `incoming/${crypto.randomUUID()}`, 'coming')
    const leftover = storage.scratch()
    writeFileSync(leftover, 'half')
    utimesSync(leftover, longAgo, longAgo)

    const { output, exitCode } = await folkmoot(['storage', 'doctor', '--hash'])
    expect(exitCode).toBe(0)
    expect(output).toContain('8 uploads, 0 print sheets; 7 files')
    expect(output).toContain(
      'Awaiting the worker: 2 deleted uploads to be removed, 1 file on the way, 1 unfinished file to be swept (4 bytes).',
    )
    expect(output).toContain('They agree, content and all.')
  })

  test('lists missing and orphaned files, and those of a wrong size or content', async () => {
    const { folder, insert, ready, storage, folkmoot } = await uploadWorld()
    const [good, lost, half, long, changed] = [
      await ready(),
      await ready(),
      await ready(),
      await ready(),
      await ready(),
    ]
    await storage.remove(lost.name)
    await storage.remove(half.small)
    await put(storage, long.name, 'longer than it was when it was stored, by far')
    const text = await (storage.read(changed.name) as Blob).text()
    await put(storage, changed.name, `${text.slice(0, -1)}!`)
    const stray = [`files/${crypto.randomUUID()}`, `incoming/${crypto.randomUUID()}`, `${good.name}.9.webp`]
    for (const name of stray) {
      await put(storage, name, 'stray')
      utimesSync(join(folder, placeOf(name)), longAgo, longAgo)
    }
    const received = crypto.randomUUID()
    const waiting = await insert({ state: 'received', incoming: received }, [])

    const quick = await folkmoot(['storage', 'doctor', '--json'])
    expect(quick.exitCode).toBe(1)
    const { data } = JSON.parse(quick.output)
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    expect(data.missing.sort(byName)).toEqual(
      [
        { key: lost.key, name: lost.name },
        { key: half.key, name: half.small },
        { key: waiting, name: `incoming/${received}` },
      ].sort(byName),
    )
    expect(data.wrongSize).toEqual([{ key: long.key, name: long.name, expected: 44, found: 45 }])
    expect(data.wrongContent).toEqual([])
    expect(data.nobodys.sort(byName)).toEqual(stray.map((name) => ({ name, size: 5 })).sort(byName))

    const thorough = await folkmoot(['storage', 'doctor', '--hash'])
    expect(thorough.exitCode).toBe(1)
    expect(thorough.output).toContain(`missing        ${lost.name}  of ${lost.key}`)
    expect(thorough.output).toContain(`wrong content  ${changed.name}  of ${changed.key}`)
    expect(thorough.output).not.toContain(good.key)
    expect(thorough.output).toContain(
      'They do not agree: 3 missing, 1 of a wrong size, 1 of wrong content, 3 orphaned',
    )
  })

  test('checks print sheets: missing and truncated files, and orphans', async () => {
    const { databaseUrl, sql, storage, folder, folkmoot } = await uploadWorld()
    const { eventId } = await seedEvent(databaseUrl)
    const sheet = async (stored: string | null, { size = 4, expires = '1 day' } = {}) => {
      const [id, file] = [newId(), crypto.randomUUID()]
      await sql`insert into pass_sheets (id, event_id, kind, paper, start_at, sort, file, size, pages, created_at, expires_at)
        values (${id}, ${eventId}, 'badges', 'a4', 1, 'name', ${file}, ${size}, 1, now(), now() + ${expires}::interval)`
      if (stored !== null) await put(storage, `sheets/${file}`, stored)
      return { key: `pass-sheet/${id}`, name: `sheets/${file}` }
    }
    await sheet('%PDF')
    // One that has ended waits for the worker, with its file or without it.
    await sheet('%PDF', { expires: '-1 hour' })
    await sheet(null, { expires: '-1 hour' })
    await put(storage, `sheets/${crypto.randomUUID()}`, 'coming')
    const well = await folkmoot(['storage', 'doctor'])
    expect(well.output).toContain('0 uploads, 1 print sheet; 3 files')
    expect(well.output).toContain('Awaiting the worker: 1 file on the way.')
    expect([well.exitCode, well.output]).toEqual([0, expect.stringContaining('They agree')])

    const [lost, cut] = [await sheet(null), await sheet('%P')]
    const orphan = `sheets/${crypto.randomUUID()}`
    await put(storage, orphan, 'stray')
    utimesSync(join(folder, placeOf(orphan)), longAgo, longAgo)
    const { data } = JSON.parse((await folkmoot(['storage', 'doctor', '--json'])).output)
    expect(data).toMatchObject({
      sheets: 3,
      missing: [lost],
      wrongSize: [{ ...cut, expected: 4, found: 2 }],
      nobodys: [{ name: orphan, size: 5 }],
    })
    const { output, exitCode } = await folkmoot(['storage', 'doctor'])
    expect(exitCode).toBe(1)
    expect(output).toContain(`missing        ${lost.name}  of ${lost.key}\n`)
    expect(output).toContain('They do not agree: 1 missing, 1 of a wrong size, 1 orphaned')
  })

  test('reports how many files wait for their check, for how long, and asks for the worker', async () => {
    const { insert, storage, sql, folkmoot } = await uploadWorld()
    const receive = async () => {
      const incoming = crypto.randomUUID()
      await put(storage, `incoming/${incoming}`, 'four')
      await insert({ state: 'received', incoming }, [])
    }
    await receive()
    const soon = await folkmoot(['storage', 'doctor'])
    expect(soon.output).toMatch(/^1 file has waited for its check for \d+ seconds?\.$/m)
    await sql`update uploads set changed_at = now() - interval '12 minutes 5 seconds'`
    await receive()
    const { output, exitCode } = await folkmoot(['storage', 'doctor'])
    expect(output).toContain('2 files wait for their check, the oldest for 12 minutes: does a worker run?\n')
    expect(output).toContain('They agree')
    expect(exitCode).toBe(0)
  })

  test('lists foreign files and leaves them alone', async () => {
    const { folder, ready, storage, folkmoot } = await uploadWorld()
    const { name } = await ready()
    writeFileSync(join(folder, '.folkmoot-storage'), '')
    expect((await folkmoot(['storage', 'doctor'])).output).not.toContain('none of ours')
    writeFileSync(join(folder, 'junk\u001b.txt'), 'junk')
    expect((await folkmoot(['storage', 'doctor'])).output).toContain(
      '1 file here is none of ours: junk?.txt\n',
    )
    const elsewhere = `files/zz/${crypto.randomUUID()}`
    const part = placeOf(name).slice(0, -37)
    const strays = ['files/zzz', elsewhere, `${part}/note`, 'more', 'most']
    mkdirSync(join(folder, 'files/zz'))
    for (const stray of strays) writeFileSync(join(folder, stray), 'junk')
    const folderOfThatName = placeOf(`files/${crypto.randomUUID()}`)
    mkdirSync(join(folder, folderOfThatName), { recursive: true })
    symlinkSync('round', join(folder, part, 'round'))
    const { output, exitCode } = await folkmoot(['storage', 'doctor'])
    expect(output).toMatch(/^8 files here are none of ours: ([^,]+, ){4}[^,]+ …$/m)
    expect(output).toContain('They agree')
    expect(exitCode).toBe(0)
    const { data } = JSON.parse((await folkmoot(['storage', 'doctor', '--json'])).output)
    expect(data.strays.sort()).toEqual(
      [...strays, `${part}/round`, 'junk\u001b.txt', folderOfThatName].sort(),
    )
    expect(await namesIn(storage)).toHaveLength(2)
  })

  test('has one line per upload, and a limit', async () => {
    const { insert, ready, storage, folkmoot } = await uploadWorld()
    const { key, name, small } = await ready()
    await storage.remove(name)
    await storage.remove(small)
    for (let i = 0; i < 52; i += 1) await insert({ file: crypto.randomUUID(), text: 'lost' }, [])
    const { output, exitCode } = await folkmoot(['storage', 'doctor'])
    expect(exitCode).toBe(1)
    expect(output).toContain(`missing        ${name} and 1 more file  of ${key}\n`)
    expect(output.match(/^missing {8}files/gm)).toHaveLength(50)
    expect(output).toContain('missing        and 3 more lines; --json has all of them\n')
    expect(output).toContain('They do not agree: 54 missing.')
    const { data } = JSON.parse((await folkmoot(['storage', 'doctor', '--json'])).output)
    expect(data.missing).toHaveLength(54)
  })

  test('reports a wrong folder and does not create it', async () => {
    const { ready, folder, folkmoot } = await uploadWorld()
    await ready()
    const mistyped = `${folder}-x`
    for (const words of [
      ['storage', 'doctor'],
      ['storage', 'move', newStorage().url],
    ]) {
      const { output, errors, exitCode } = await folkmoot(words, {
        STORAGE_URL: pathToFileURL(mistyped).href,
      })
      expect([output, exitCode]).toEqual(['', 1])
      expect(errors.trim()).toBe(
        `The folder ${mistyped} holds none of the files that the database knows: check that its disk is mounted and that STORAGE_URL is right.`,
      )
    }
    expect(existsSync(mistyped)).toBe(false)
  })

  test('reports an unreachable storage and no missing files', async () => {
    const { ready, folkmoot } = await uploadWorld()
    await ready()
    const away = {
      STORAGE_URL: 's3://pictures?endpoint=http://127.0.0.1:1',
      STORAGE_ACCESS_KEY: 'key',
      STORAGE_SECRET_KEY: 'a-secret-of-the-store',
    }
    const { output, errors, exitCode } = await folkmoot(['storage', 'doctor'], away)
    expect([output, exitCode]).toEqual(['', 1])
    expect(errors.trim()).toBe('The storage cannot be reached: nothing listens at that address.')
  })
})

describe('folkmoot storage move', () => {
  test('copies all files, says what to set, and has nothing to do the second time', async () => {
    const { ready, storage, folkmoot } = await uploadWorld()
    const to = newStorage()
    for (let i = 0; i < 5; i += 1) await ready()
    await put(storage, `incoming/${crypto.randomUUID()}`, 'coming')
    const first = await folkmoot(['storage', 'move', to.url])
    expect(first.exitCode).toBe(0)
    expect(first.output).toContain('11 files')
    expect(first.output).toContain('(11 copied and read back, 0 were there')
    expect(first.output).toContain(`STORAGE_URL='${to.url}'`)
    expect(await namesIn(to.storage)).toEqual(await namesIn(storage))
    expect(readdirSync(join(to.folder, 'scratch'))).toEqual([])
    expect(readdirSync(to.folder)).toContain('.folkmoot-storage')

    await ready()
    const second = JSON.parse((await folkmoot(['storage', 'move', to.url, '--json'])).output).data
    expect(second).toMatchObject({ objects: 13, copied: 2, skipped: 11, gone: 0 })
    const { output, exitCode } = await folkmoot(['storage', 'doctor', '--hash'], { STORAGE_URL: to.url })
    expect([exitCode, output]).toEqual([0, expect.stringContaining('They agree, content and all.')])
  })

  test('resumes after an interruption and repairs differing objects', async () => {
    const { ready, storage } = await uploadWorld()
    const to = newStorage()
    for (let i = 0; i < 6; i += 1) await ready()
    // Several are copied at once: the storage goes away when five have arrived, and not while they are on their way.
    const arriving: Promise<unknown>[] = []
    const failing: Storage = {
      ...to.storage,
      adopt: async (name, path) => {
        if (arriving.length < 5) {
          const adopted = to.storage.adopt(name, path)
          arriving.push(adopted)
          return adopted
        }
        await Promise.all(arriving)
        throw new StorageDown('Away')
      },
    }
    await expect(copyAll(storage, failing, () => {})).rejects.toBeInstanceOf(StorageDown)
    const [there = ''] = await namesIn(to.storage)
    const same = await (storage.read(there) as Blob).text()
    await put(to.storage, there, `${same.slice(0, -1)}!`)
    const reports: Record<string, Progress> = {}
    const moved = await copyAll(storage, to.storage, (so) => {
      reports[so.stage] = so
    })
    expect(moved).toMatchObject({ objects: 12, copied: 8, skipped: 4 })
    expect(await (to.storage.read(there) as Blob).text()).toBe(same)
    const { copying, comparing } = reports
    expect([copying?.done.objects, comparing?.done.objects]).toEqual([7, 5])
    expect([copying?.done, comparing?.done]).toEqual([copying?.of, comparing?.of])
    expect((copying?.of.bytes ?? 0) + (comparing?.of.bytes ?? 0)).toBe(moved.bytes)
  })

  test('copies missing objects first, newest first, and reports what it does', async () => {
    const { folder, ready, storage, folkmoot } = await uploadWorld()
    const to = newStorage()
    const old = [await ready(), await ready(), await ready()].flatMap(({ name, small }) => [name, small])
    await copyAll(storage, to.storage, () => {})
    const late = (await Promise.all(Array.from({ length: 4 }, () => ready()))).flatMap(({ name, small }) => [
      name,
      small,
    ])
    for (const [at, name] of late.entries()) {
      const time = new Date(longAgo.getTime() + at * 1000)
      utimesSync(join(folder, placeOf(name)), time, time)
    }
    const [read, adopted]: [string[], string[]] = [[], []]
    const watched: Storage = {
      ...storage,
      read(name) {
        read.push(name)
        return storage.read(name)
      },
    }
    const target: Storage = {
      ...to.storage,
      read(name) {
        if (old.includes(name)) expect(adopted).toHaveLength(late.length)
        return to.storage.read(name)
      },
      async adopt(name, path) {
        await to.storage.adopt(name, path)
        adopted.push(name)
      },
    }
    expect(await copyAll(watched, target, () => {})).toMatchObject({ copied: 8, skipped: 6 })
    expect(read.slice(0, 8)).toEqual(late.toReversed())
    expect(read.slice(8).sort()).toEqual(old.sort())

    await ready()
    const { errors } = await folkmoot(['storage', 'move', to.url])
    expect(errors).toMatch(
      /^Copying what is missing: 1 file of 2, .*\nComparing what was there: 1 file of 14, /m,
    )
  })

  test('detects a failed write and skips objects deleted meanwhile', async () => {
    const { ready, storage } = await uploadWorld()
    const { name, small } = await ready()
    const to = newStorage()
    const lossy: Storage = {
      ...to.storage,
      adopt: async (object, path) => {
        rmSync(path)
        await put(to.storage, object, 'something else')
      },
    }
    await expect(copyAll(storage, lossy, () => {})).rejects.toThrow('is not what is read there')
    const shrinking: Storage = {
      ...storage,
      read: (object) => (object === name ? Promise.resolve(null) : storage.read(object)),
    }
    const other = newStorage()
    expect(await copyAll(shrinking, other.storage, () => {})).toMatchObject({ copied: 1, gone: 1 })
    expect(await namesIn(other.storage)).toEqual([small])
  })

  test('refuses an address that is invalid, identical, or without keys or space', async () => {
    const { ready, storageUrl, folkmoot } = await uploadWorld()
    await ready()
    const to = newStorage()
    const refusals: [string[], Record<string, string>, number, RegExp][] = [
      [['storage', 'move'], {}, 2, /^It takes <address> after its name/],
      [['storage', 'move', to.url, '--hash'], {}, 2, /^There is no --hash here/],
      [['storage', 'move', 'ftp://x'], {}, 1, /^<address> must be file:/],
      [['storage', 'move', 's3://bucket'], {}, 1, /^STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY are required/],
      [['storage', 'move', storageUrl], {}, 1, /^The files are in the folder .* already/],
      [
        ['storage', 'move', to.url],
        { STORAGE_KEEP_FREE: '9007199254740991' },
        1,
        /^There is no room in the folder/,
      ],
      [['storage'], {}, 2, /^There is no command of that name/],
    ]
    for (const [words, environment, code, sentence] of refusals) {
      const { errors, output, exitCode } = await folkmoot(words, environment)
      expect([output, exitCode]).toEqual(['', code])
      expect(errors.trim()).toMatch(sentence)
    }
    expect(await namesIn(to.storage)).toEqual([])
  })
})
