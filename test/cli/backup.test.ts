import { beforeAll, describe, expect, mock, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { decompress } from '@/backup/archive/parts'
import { keyOf } from '@/backup/key'
import { restore as bringBack } from '@/backup/restore'
import { verify } from '@/backup/verify'
import { dump } from '@/db/backup/dump'
import { lockDataFolder } from '@/db/data-lock'
import { migrateDatabase } from '@/db/migrate/migrate'
import { inMarkedFolder, MARKING, requireFinishedFolder } from '@/db/migrate/unfinished-restore'
import { diskStorage } from '@/outbound/storage/local/disk'
import type { Storage } from '@/outbound/storage/storage'
import { runFolkmoot } from '../support/command-line'
import { dumpOf } from '../support/dump'
import { explained } from '../support/explained'
import { forged } from '../support/forged-backup'
import { seedEvent, seedPeople } from '../support/seed'
import { emptyDatabase } from '../support/upgrades/histories'
import { schemaOf } from '../support/upgrades/schema'
import { put, uploadWorld } from '../support/upload-world'

type World = Awaited<ReturnType<typeof uploadWorld>>

const scratch = () => mkdtempSync(join(tmpdir(), 'folkmoot-backup-'))

/** A community in which every kind of trigger has left its trace. */
async function community() {
  const world = await uploadWorld()
  const { sql, databaseUrl } = world
  const { eventId, owner } = await seedEvent(databaseUrl, { maxAttendees: 1 })
  const people = await seedPeople(databaseUrl, 3)
  await sql`insert into rsvps (id, event_id, user_id, status) values (gen_random_uuid(), ${eventId}, ${owner.id}, 'confirmed')`
  await sql`insert into badge_awards (id, badge_id, user_id, source)
    select gen_random_uuid(), (select id from badges limit 1), id, 'group' from users where username like 'seeded-%'`
  await sql`insert into follows (follower_id, followee_id) values (${people[0]?.id}, ${people[1]?.id})`
  await sql`update users set bio = ${'tab\tline\nback\\slash \\N é 𝄞'} where id = ${people[0]?.id}`
  await sql`insert into outbox (id, type, payload) values (gen_random_uuid(), 'user.followed', '{"a": "\\\\n"}')`
  await sql`insert into heartbeats (worker, at) values ('old', now())`
  await sql`insert into installation (use) values ('production') on conflict do nothing`
  const { small } = await world.ready()
  await put(world.storage, `incoming/${crypto.randomUUID()}`, 'received')
  await put(world.storage, `exports/${crypto.randomUUID()}`, 'all about somebody')
  return { ...world, small }
}

const contentOf = async (storage: Storage) =>
  Object.fromEntries(
    await Promise.all(
      (await Array.fromAsync(storage.list(''))).map(async ({ name }) => [
        name,
        await (storage.read(name) as Blob).text(),
      ]),
    ),
  )

/** What a database holds, row by row; neither a heartbeat nor the time of a backup is a restored one's. */
async function rowsAt(url: string) {
  const sql = postgres(url, { max: 1 })
  try {
    return (await dumpOf(sql))
      .filter((line) => !/^(public\.(heartbeats|installation)|bullmq)/.test(line))
      .sort()
  } finally {
    await sql.end()
  }
}

async function newTarget() {
  const folder = scratch()
  const url = await emptyDatabase()
  return {
    url,
    storage: diskStorage({ folder, keepFree: 0 }),
    environment: { DATABASE_URL: url, STORAGE_URL: pathToFileURL(folder).href },
  }
}

let world: World & { small: string }
let file: string

beforeAll(async () => {
  world = await community()
  file = join(scratch(), 'community.backup')
  const { exitCode, errors, output } = await world.folkmoot(['backup', '--to', file])
  expect([exitCode, errors]).toEqual([0, expect.any(String)])
  expect(output).toContain('It was read back, and is as it was written.')
  expect(output).toContain('the SECRET_KEY')
})

describe('folkmoot backup', () => {
  test('writes one private file that tar can list', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['community.backup'])
    const folder = scratch()
    expect(Bun.spawnSync(['tar', '-xf', file, '-C', folder]).exitCode).toBe(0)
    const check = Bun.spawnSync(
      ['sh', '-c', 'cat sha256/* | sha256sum -c --quiet && sha256sum -c --quiet manifest.json.sha256'],
      { cwd: folder },
    )
    expect(check.exitCode).toBe(0)
    expect(readFileSync(join(folder, 'secret-key'), 'utf8')).toBe('Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E\n')
    const { counts } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    expect(counts.users.rows).toBe(5)
    expect(readdirSync(join(folder, 'storage'))).toEqual(expect.not.arrayContaining(['exports']))
    const { output, exitCode } = await world.folkmoot(['backup', 'verify', file])
    expect([exitCode, output]).toEqual([0, expect.stringContaining('is as it was written')])
  })

  test('records the time of a complete backup for the alert', async () => {
    const [row] = await world.sql`select backed_up_at at from installation`
    expect(Date.now() - row?.at.getTime()).toBeWithin(0, 600_000)
  })

  test('overwrites nothing and reports failures in a sentence', async () => {
    const before = readFileSync(file)
    const refusals: [string[], RegExp, number?][] = [
      [['backup', '--to', file], /is there already, and nothing is written over/],
      [['backup', '--to', '/nowhere/at/all.backup'], /^The folder \/nowhere\/at is missing/],
      [['backup', '--to', `${file}-2`, '--keep', '3'], /^--keep needs a folder/, 2],
      [['backup', '--keep', 'all'], /^--keep takes a whole number/, 2],
      [['backup', '--keep', '0'], /^--keep takes a whole number/, 2],
      [['backup', '--to', '/etc/hostname/x'], /^\/etc\/hostname\/x cannot be used \(ENOTDIR\)/],
      [['backup', 'verify', `${file}-3`], /cannot be read \(ENOENT\)/],
      [['backup', 'verify', '.gitignore'], /^.gitignore is no backup of Folkmoot/],
      [['backup', 'verify', 'package.json'], /^package.json is no backup of Folkmoot/],
    ]
    for (const [words, sentence, code = 1] of refusals) {
      const { errors, output, exitCode } = await world.folkmoot(words)
      expect([words, output, exitCode]).toEqual([words, '', code])
      expect(errors.trim()).toMatch(sentence)
    }
    expect(readFileSync(file)).toEqual(before)
    expect(readdirSync(join(file, '..'))).toEqual(['community.backup'])
  })

  test('keeps the newest backups of a folder', async () => {
    const folder = scratch()
    const old = ['2026-01-01T000000Z', '2026-01-03T000000Z', '2026-01-02T000000Z']
    for (const date of old) writeFileSync(join(folder, `folkmoot-${date}.backup`), '')
    writeFileSync(join(folder, 'folkmoot-before-the-move.backup'), '')
    const { output } = await world.folkmoot(['backup', '--to', folder, '--keep', '2', '--no-files', '--json'])
    const { data } = JSON.parse(output)
    expect(data).toMatchObject({
      files: null,
      removed: old
        .toSorted()
        .filter((date) => date !== old[1])
        .map((date) => `folkmoot-${date}.backup`),
    })
    expect(readdirSync(folder).sort()).toEqual([
      `folkmoot-${old[1]}.backup`,
      data.file.split('/').at(-1),
      'folkmoot-before-the-move.backup',
    ])
  })

  test('of a busy server is a snapshot of one moment', async () => {
    const { databaseUrl, folkmoot } = await uploadWorld()
    const stop = new AbortController()
    const writer = async () => {
      const sql = new Bun.SQL(databaseUrl, { max: 1 })
      while (!stop.signal.aborted)
        await sql.begin(async (tx) => {
          const id = crypto.randomUUID()
          await tx`insert into outbox (id, type, payload) values (${id}, 'user.followed', '{}')`
          await tx`insert into users (id, name, username) values (${id}, 'W', ${`writer-${id}`})`
        })
      await sql.end()
    }
    const writing = [writer(), writer()]
    const moving = join(scratch(), 'moving.backup')
    const { exitCode } = await folkmoot(['backup', '--to', moving, '--no-files'])
    stop.abort()
    await Promise.all(writing)
    expect(exitCode).toBe(0)
    const { url, environment } = await newTarget()
    expect((await folkmoot(['restore', moving], environment)).exitCode).toBe(0)
    const sql = new Bun.SQL(url, { max: 1 })
    const [row] = await sql`select
      (select count(*)::int from users where name = 'W') as written,
      (select count(*)::int from users left join outbox using (id) where name = 'W' and type is null) as torn,
      (select sum(people)::int from people_tally) - (select count(*)::int from users where is_public) as miscounted`
    expect(row).toMatchObject({ torn: 0, miscounted: 0 })
    expect(row.written).toBeGreaterThan(0)
    await sql.end()
  })
})

test('rows written during a backup are not in it', async () => {
  const { databaseUrl, sql } = await uploadWorld()
  const seen: string[] = []
  const { counts } = await dump(databaseUrl, async ({ read }) => {
    await sql`insert into users (id, name, username) values (gen_random_uuid(), 'W', 'late')`
    return read(async (table, { bytes }) => {
      if (table === 'users') seen.push(Buffer.from(bytes).toString())
    })
  })
  expect(counts.users?.rows).toBe(1)
  expect(seen.join('')).toContain('robin')
  expect(seen.join('')).not.toContain('late')
})

describe('a damaged backup is detected', () => {
  const copyOf = (bytes: Uint8Array) => {
    const copy = join(scratch(), 'copy.backup')
    writeFileSync(copy, bytes)
    return copy
  }

  test('with any changed byte', async () => {
    const bytes = readFileSync(file)
    // All kinds of places: each header, content, padding, and the end.
    const places = Array.from({ length: 60 }, (_, at) => Math.floor((at * (bytes.length - 1)) / 59))
    for (const place of [...places, 0, 100, 511, 512, bytes.length - 600, bytes.length - 1]) {
      const copy = Buffer.from(bytes)
      copy[place] = (copy[place] as number) ^ 0x10
      await expect(verify(copyOf(copy)), `byte ${place}`).rejects.toThrow(
        /is damaged|is cut off|is no backup|newer release/,
      )
    }
  })

  test('when truncated or extended', async () => {
    const bytes = readFileSync(file)
    for (const length of [
      0,
      10,
      512,
      1024,
      40_960,
      bytes.length - 1024,
      bytes.length - 512,
      bytes.length - 1,
    ]) {
      const copy = copyOf(bytes)
      truncateSync(copy, length)
      await expect(verify(copy), `${length} bytes`).rejects.toThrow(/is cut off|is damaged/)
    }
    await expect(verify(copyOf(Buffer.concat([bytes, Buffer.alloc(512)])))).rejects.toThrow(
      /is damaged at its end/,
    )
  })

  test('and not restored', async () => {
    const { url, environment } = await newTarget()
    const bytes = readFileSync(file)
    const at = bytes.indexOf('tables/users/') + 600
    bytes[at] = (bytes[at] as number) ^ 1
    const { errors, exitCode } = await world.folkmoot(['restore', copyOf(bytes)], environment)
    expect([exitCode, errors]).toEqual([1, expect.stringMatching(/is damaged at tables\/users\/000001\.zst/)])
    expect(await rowsAt(url)).toEqual([])
  })
})

type Change = Parameters<typeof forged>[1]

describe('a forged backup with valid checksums', () => {
  const WHOLE = Bun.zstdCompressSync(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)).toHex()))
  const USERS = 'tables/users/000001.zst'
  const ODD = [
    'storage/../../x',
    '/etc/passwd',
    'storage//x',
    'storage/files/x',
    'notes.txt',
    'tables/../1.zst',
  ]

  test('is refused if its structure is invalid', async () => {
    const changes: [string, Change][] = [
      ...[null, {}, [], [null], [{ name: 'users', columns: [] }], [{ name: 'a"b', columns: ['id'] }]].map(
        (tables): [string, Change] => [
          'manifest\\.json',
          ({ manifest }) => Object.assign(manifest, { tables }),
        ],
      ),
      ['manifest\\.json', ({ manifest }) => Object.assign(manifest, { sequences: [{ name: 'x', last: 1 }] })],
      ['manifest\\.json', ({ manifest }) => Object.assign(manifest, { counts: { '\x1b[2J': 1 } })],
      ['manifest\\.json', ({ manifest }) => Object.assign(manifest, { more: 'x'.repeat(17_000_000) })],
      ['secret-key', ({ entries }) => entries.set('secret-key', Buffer.alloc(300_000, 'k'))],
      ['secret-key', ({ entries }) => entries.delete('secret-key')],
      ['secret-key', ({ more }) => more.push(['secret-key', Buffer.from('of another')])],
      ['its files', ({ manifest }) => Object.assign(manifest, { files: { objects: 9, bytes: 9 } })],
      ['folkmoot-backup\\.json', ({ entries }) => entries.set('folkmoot-backup.json', Buffer.from('null'))],
      ...ODD.map((name): [string, Change] => [name, ({ entries }) => entries.set(name, Buffer.from('x'))]),
      ['\\?\\[2J: ', ({ entries }) => entries.set('\x1b[2J', Buffer.from('x'))],
    ]
    for (const [place, change] of changes)
      await expect(verify(await forged(file, change))).rejects.toThrow(new RegExp(`is damaged at ${place}`))
  })

  test('is refused with a part that exceeds memory, is truncated or is not zstd', async () => {
    const parts: [RegExp, Uint8Array][] = [
      [/x is larger than any part/, Bun.zstdCompressSync(Buffer.alloc(65 * 1024 * 1024))],
      [/x cannot be decompressed/, Buffer.from('nothing of zstd')],
      ...[0, 3, 9, WHOLE.length / 2, WHOLE.length - 1].map((length): [RegExp, Uint8Array] => [
        /x cannot be decompressed/,
        WHOLE.subarray(0, length),
      ]),
      // A frame that asks for a window of 2 GiB.
      [/x cannot be decompressed/, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0])],
    ]
    for (const [reason, bytes] of parts)
      await expect(decompress('x', new Blob([Buffer.from(bytes)]).stream(), async () => {})).rejects.toThrow(
        reason,
      )
  })

  test('is not restored, with a reason that shows no row values', async () => {
    const { url, environment } = await newTarget()
    const users = (entries: Map<string, Uint8Array>) => Buffer.from(entries.get(USERS) ?? [])
    const changes: [RegExp, Change][] = [
      [
        /: tables\/users\/000001\.zst cannot be decompressed;/,
        ({ entries }) => entries.set(USERS, Buffer.from('x')),
      ],
      [
        /: tables\/users\/000001\.zst cannot be decompressed;/,
        ({ entries }) => entries.set(USERS, users(entries).subarray(0, -4)),
      ],
      [
        /: the database refused rows of users \(23505\);/,
        ({ entries }) => entries.set('tables/users/000002.zst', users(entries)),
      ],
      [
        /: the database refused rows of \w+, which refer to others \(23503\);/,
        ({ entries }) =>
          entries.set(USERS, Bun.zstdCompressSync(`\\.\n${Bun.zstdDecompressSync(users(entries))}`)),
      ],
      [
        /: the table outbox has not become what the manifest says \(0 rows instead of 1\);/,
        ({ entries }) => entries.delete('tables/outbox/000001.zst'),
      ],
      [
        /: it has a sequence that its migrations do not make \(others\);/,
        ({ manifest }) => Object.assign(manifest, { sequences: [{ name: 'others', last: '1' }] }),
      ],
    ]
    for (const [reason, change] of changes) {
      const { errors, exitCode } = await world.folkmoot(
        ['restore', await forged(file, change), '--json'],
        environment,
      )
      // What stands before it tells how far it is.
      const said = JSON.parse(errors.trim().split('\n').at(-1) ?? '')
      expect([exitCode, said]).toEqual([1, { error: expect.stringMatching(reason), code: 'unavailable' }])
      expect(said.error).toMatch(/^The backup cannot be restored: .*; nothing was restored\.$/)
      expect(errors).not.toMatch(/robin|detail|^ +at /im)
    }
    expect(await rowsAt(url)).toEqual([])
  }, 120_000)
})

test('the last of two objects with one name wins, and the doctor compares it with its row', async () => {
  const { storage, environment } = await newTarget()
  const other = Buffer.from('of another')
  const twice = await forged(file, ({ manifest, more }) => {
    more.push([`storage/${world.small}`, other])
    const { objects, bytes } = manifest.files as { objects: number; bytes: number }
    Object.assign(manifest, { files: { objects: objects + 1, bytes: bytes + other.length } })
  })
  expect((await world.folkmoot(['restore', twice], environment)).exitCode).toBe(0)
  expect((await contentOf(storage))[world.small]).toBe(String(other))
  const { exitCode, output } = await world.folkmoot(['storage', 'doctor'], environment)
  expect([exitCode, output]).toEqual([1, expect.stringContaining('wrong size')])
}, 30_000)

describe('folkmoot restore', () => {
  test('restores every row, sequence and file, and the schema with its triggers', async () => {
    const { url, storage, environment } = await newTarget()
    const { output, errors, exitCode } = await world.folkmoot(['restore', file], environment)
    expect([exitCode, errors]).toEqual([0, expect.any(String)])
    expect(output).toContain('each table compared with the backup')
    expect(await rowsAt(url)).toEqual(await rowsAt(world.databaseUrl))
    expect(await schemaOf(url)).toEqual(await schemaOf(world.databaseUrl))
    const {
      [Object.keys(await contentOf(world.storage)).find((name) => name.startsWith('exports/')) ?? '']: _,
      ...files
    } = await contentOf(world.storage)
    expect(await contentOf(storage)).toEqual(files)
    expect(Object.keys(files)).toContain(world.small)
    const doctor = await world.folkmoot(['storage', 'doctor', '--hash'], environment)
    expect([doctor.exitCode, doctor.output]).toEqual([0, expect.stringContaining('They agree')])
    const sql = new Bun.SQL(url, { max: 1 })
    // The next numbers are new ones, and triggers fire as ever.
    const [{ xp }] = await sql`select xp from users where username = 'robin'`
    await sql`insert into badge_awards (id, badge_id, user_id, source)
      select gen_random_uuid(), (select id from badges where points > 0 limit 1), id, 'group' from users where username = 'robin'`
    expect((await sql`select xp from users where username = 'robin'`)[0].xp).toBeGreaterThan(xp)
    expect(await sql`select from heartbeats`).toHaveLength(0)
    await sql.end()
  })

  test('refuses a non-empty target and changes nothing', async () => {
    const before = await rowsAt(world.databaseUrl)
    const { errors, exitCode } = await world.folkmoot(['restore', file])
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringMatching(/There is a community in this database already/),
    ])
    expect(await rowsAt(world.databaseUrl)).toEqual(before)
    const migrated = (await newTarget()).environment
    await world.folkmoot(['migrate'], migrated)
    const early = await world.folkmoot(['restore', file], migrated)
    expect([early.exitCode, early.errors]).toEqual([
      1,
      expect.stringMatching(/This database holds no people, but .+ drop and recreate it/),
    ])
    const { url, environment } = await newTarget()
    const sql = new Bun.SQL(url, { max: 1 })
    await sql`create table notes (text text)`
    const foreign = await world.folkmoot(['restore', file], environment)
    expect([foreign.exitCode, foreign.errors]).toEqual([
      1,
      expect.stringContaining('holds tables that Folkmoot did not make (notes)'),
    ])
    await sql.end()
  })

  test('warns about a file that others can read, as verify does', async () => {
    const open = join(scratch(), 'open.backup')
    copyFileSync(file, open)
    const warning = `Others on this machine can read ${open}`
    for (const mode of [0o644, 0o600]) {
      chmodSync(open, mode)
      const checked = await world.folkmoot(['backup', 'verify', open])
      const restored = await world.folkmoot(['restore', open], (await newTarget()).environment)
      expect([checked.exitCode, restored.exitCode]).toEqual([0, 0])
      for (const { output } of [checked, restored]) expect(output.includes(warning)).toBe(mode === 0o644)
    }
  })

  test('is refused while a server uses the data folder', async () => {
    const dataDir = scratch()
    const unlock = lockDataFolder(dataDir)
    const { errors, exitCode } = await runFolkmoot(['restore', file], { DATA_DIR: dataDir })
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringContaining(`Folkmoot already runs on the data folder ${dataDir}`),
    ])
    expect(readdirSync(dataDir)).not.toContain('postgres')
    unlock()
  })

  test('does not replace the key of an existing community', async () => {
    const { manifest } = await verify(file)
    const putKey = mock()
    const terms = { file, manifest, storage: world.storage, onProgress: () => {}, putKey }
    await expect(bringBack({ ...terms, databaseUrl: world.databaseUrl })).rejects.toThrow(
      /^There is a community/,
    )
    expect(putKey).not.toHaveBeenCalled()
  })

  test('leaves a mark when interrupted, so that no server starts on the database', async () => {
    const { url, environment } = await newTarget()
    const sql = new Bun.SQL(url, { max: 1 })
    await sql.unsafe(MARKING)
    await expect(migrateDatabase(url)).rejects.toThrow(/^A restore into this database was not finished/)
    expect(await rowsAt(url)).toEqual([])
    expect((await world.folkmoot(['restore', file], environment)).exitCode).toBe(0)
    expect(await migrateDatabase(url)).toEqual([])
    await sql.end()
  })

  test('leaves a mark in the folder when interrupted while creating the embedded database', async () => {
    const dataDir = scratch()
    writeFileSync(join(dataDir, 'restore-unfinished'), '')
    const sentence = expect.stringContaining('A restore into this database was not finished')
    const started = await explained('src/server.ts', { DATA_DIR: dataDir, PORT: '0' })
    expect([started.code, started.sentence]).toEqual([1, sentence])
    for (const words of [['migrate'], ['migrate', '--check'], ['jobs']]) {
      const { exitCode, errors } = await runFolkmoot(words, { DATA_DIR: dataDir })
      expect([words, exitCode, errors]).toEqual([words, 1, sentence])
    }
    expect(readdirSync(dataDir)).not.toContain('postgres')
    await expect(
      inMarkedFolder(dataDir, async () => {
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect(statSync(join(dataDir, 'restore-unfinished')).mode & 0o077).toBe(0)
    await inMarkedFolder(dataDir, async () => {})
    expect(() => requireFinishedFolder(dataDir)).not.toThrow()
  })

  test('names the key that it replaces, and does so only on request', () => {
    const dataDir = scratch()
    const kept = join(dataDir, 'secret-key')
    writeFileSync(kept, 'new\n')
    const settings = { secretKey: 'new', dataDir, databaseUrl: null }
    expect(keyOf('new', file, settings).replaced).toBeNull()
    const { put, replaced } = keyOf('old', file, settings)
    expect([replaced, readFileSync(kept, 'utf8')]).toEqual([kept, 'new\n'])
    put()
    expect(readFileSync(kept, 'utf8')).toBe('old\n')
  })

  test('refuses another key and says where the right one is', async () => {
    const { url, environment } = await newTarget()
    const { errors, exitCode } = await world.folkmoot(['restore', file], {
      ...environment,
      SECRET_KEY: 'Qm8sW2nXe5Rb7TyUv4Kd9LgHc3JzPa6F',
    })
    expect([exitCode, errors]).toEqual([1, expect.stringContaining(`"tar -xOf ${file} secret-key"`)])
    expect(errors).not.toContain('Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E')
    expect(await rowsAt(url)).toEqual([])
  })
})
