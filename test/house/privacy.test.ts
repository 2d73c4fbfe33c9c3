import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { sweeps } from '@/areas'
import { db } from '@/db/client'
import { HELD, WITHOUT_PERSONAL_DATA } from '@/modules/account/privacy/held/all'
import type { Holding, Owner } from '@/modules/account/privacy/held/holding'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'
import { writePrivacy } from '../../scripts/privacy/write'

type ColumnRow = { table: string; column: string; type: string }
type Key = { table: string; column: string; to: string; action: string }

const columns = await db.execute<ColumnRow>(sql`
  select table_name as table, column_name as column, data_type as type from information_schema.columns
  where table_schema = 'public' order by table_name, ordinal_position`)

/** Foreign keys, a row for each of their columns. `c` deletes with what it points at, `n` forgets it. */
const keys = await db.execute<Key>(sql`
  select c.relname as table, a.attname as column, t.relname as to, f.confdeltype as action
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = any(f.conkey)
  where f.contype = 'f' and c.relnamespace = 'public'::regnamespace`)

const tables = [...new Set(columns.map(({ table }) => table))]
const columnsIn = (table: string) => columns.filter((row) => row.table === table).map(({ column }) => column)
const nameOf = ({ table }: Holding) => getTableName(table)
const held = new Map(HELD.map((holding) => [nameOf(holding), holding]))

/** The names of columns in the code, as the database calls them. */
const inDatabase = (holding: Holding, names: Iterable<string>) => {
  const known = getTableColumns(holding.table)
  return [...names].map((name) => known[name]?.name ?? `no column ${name}`)
}

const firstColumn = (owner: Owner) => owner.column.name

describe('the personal data inventory', () => {
  test('lists every table once', () => {
    expect([...held.keys(), ...Object.keys(WITHOUT_PERSONAL_DATA)].sort()).toEqual([...tables].sort())
  })

  for (const holding of HELD)
    test(`lists every column of ${nameOf(holding)} once`, () => {
      const { shown, withheld, shownTo = {} } = holding
      const named = inDatabase(holding, [...shown, ...Object.keys(withheld), ...Object.keys(shownTo)])
      expect(named.sort()).toEqual(columnsIn(nameOf(holding)).sort())
    })

  test('covers every foreign key to users and every column named like one', () => {
    const toPeople = keys.filter(({ to }) => to === 'users').map(({ table, column }) => `${table}.${column}`)
    const called = columns
      .filter(({ column }) =>
        /^(user|owner|actor|visitor|follower|followee)_id$|^(decided|used)_by$/.test(column),
      )
      .map(({ table, column }) => `${table}.${column}`)
    const ways = HELD.flatMap((holding) =>
      Object.values(holding.of).map((owner) => `${nameOf(holding)}.${firstColumn(owner)}`),
    )
    expect(toPeople.length).toBeGreaterThan(30)
    expect([...new Set([...toPeople, ...called])].filter((way) => !ways.includes(way))).toEqual([])
  })

  test('covers every row that references personal data', () => {
    const roots = HELD.filter(({ of }) => Object.keys(of).length > 0).map(nameOf)
    const hanging = keys.filter(
      ({ table, column, to, action }) =>
        action === 'c' && roots.includes(to) && !/^made_by/.test(column) && table !== to,
    )
    expect(hanging.filter(({ table }) => !held.has(table) && !(table in WITHOUT_PERSONAL_DATA))).toEqual([])
    expect(
      [...new Set(hanging.map(({ table }) => table))]
        .filter((table) => table in WITHOUT_PERSONAL_DATA)
        .sort(),
      // Counts of strangers on a pass.
    ).toEqual(['pass_strangers'])
  })

  test('covers everything: no other table has a column for an address, a name or a location', () => {
    const telling =
      /mail|user|owner|person|visitor|actor|agent|(^|_)ip($|_)|phone|first_name|last_name|address/
    // A place of an event, and a hash of an address of a feed.
    const known = ['events.venue_address']
    expect(
      columns
        .filter(({ table, column }) => table in WITHOUT_PERSONAL_DATA && telling.test(column))
        .map(({ table, column }) => `${table}.${column}`)
        .filter((name) => !known.includes(name)),
    ).toEqual([])
  })

  test('exports no secrets: no bytes, and no column named like one', () => {
    const secret = /hash|sealed|secret|token$|challenge/
    const given = HELD.flatMap((holding) =>
      inDatabase(holding, [...holding.shown, ...Object.keys(holding.shownTo ?? {})]).map(
        (column) => `${nameOf(holding)}.${column}`,
      ),
    )
    const bytes = columns
      .filter(({ type }) => type === 'bytea')
      .map(({ table, column }) => `${table}.${column}`)
    expect(given.filter((name) => bytes.includes(name) || secret.test(name.split('.')[1] as string))).toEqual(
      [],
    )
    expect(bytes.length).toBeGreaterThan(10)
  })

  test('names other people by a rule and exports no id of theirs', () => {
    for (const { shown, people = {} } of HELD)
      expect(Object.keys(people).filter((column) => shown.includes(column))).toEqual([])
  })

  test('omits a whole table only with a reason', () => {
    for (const holding of HELD)
      expect([nameOf(holding), holding.shown.length === 0]).toEqual([
        nameOf(holding),
        holding.leftOut !== undefined,
      ])
  })

  test('matches what account deletion does', () => {
    const actionsOf = (table: string, column: string) =>
      keys.filter((key) => key.table === table && key.column === column).map(({ action }) => action)
    for (const holding of HELD) {
      const table = nameOf(holding)
      // No key leads from an address to a person: the tests of erasure look for rows with it.
      if (Object.values(holding.of).every(({ by }) => by === 'address')) continue
      const ways = Object.values(holding.of).filter(({ by }) => by === 'id' || by === 'row')
      const actions = ways.flatMap((owner) => actionsOf(table, firstColumn(owner)))
      // A trigger takes people out of boards and lists of movers; attempts hang on messages.
      const boards = ['board_snapshots', 'board_drafts', 'movers']
      const otherwise = ['users', ...boards, 'webhook_attempts', 'feed_subscription_requests']
      if (holding.erased === 'deleted' && !otherwise.includes(table))
        expect([table, actions.includes('c')]).toEqual([table, true])
      if (holding.erased === 'unlinked') expect([table, actions]).toEqual([table, ['n']])
    }
  })

  test('has texts in every language, down to the field names', () => {
    for (const language of LANGUAGES) {
      const { tables, field } = wordsIn(language).privacy
      expect(Object.keys(tables).sort()).toEqual(HELD.map(nameOf).sort())
      if (language === 'en') continue
      for (const { shown, shownTo = {}, people = {}, things = {} } of HELD)
        for (const name of [
          ...shown,
          ...Object.keys(shownTo),
          ...Object.keys({ ...people, ...things }).map((id) => id.replace(/(Id|Key)$/, '')),
        ])
          expect([name, field(name) !== name || name === 'sha256']).toEqual([name, true])
    }
  })

  test('equals docs/privacy.md', async () => {
    const document = await Bun.file(join(import.meta.dir, '../../docs/privacy.md')).text()
    // On a difference: `bun run generate` rewrites the tables.
    expect(document.split('\n')).toEqual(writePrivacy(document).split('\n'))
  })

  test('has a retention period that a sweep enforces', () => {
    const ages = new Map(sweeps.map(({ name, keeps }) => [name, keeps]))
    const named = HELD.flatMap(({ retention }) =>
      typeof retention === 'object' && 'sweeps' in retention ? retention.sweeps : [],
    )
    expect(named.filter((name) => ages.get(name) === undefined)).toEqual([])
    expect(named.length).toBeGreaterThan(20)
  })
})
