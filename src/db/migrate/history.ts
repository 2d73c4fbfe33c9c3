import type postgres from 'postgres'
import { ConfigError } from '@/config/error'
import type { Migration, Repair } from './release'
import { requireFinished } from './unfinished-restore'

type Applied = { id: number; hash: string; at: number }

/**
 * Compares the migrations of a database with this release. Repairs a migration whose text was rewritten after landing, and
 * refuses any other difference: on an unknown schema a server would report ready and fail at the first write.
 */
export async function settleHistory(
  client: postgres.Sql,
  release: Migration[],
  repairs: Repair[],
): Promise<void> {
  const applied = await readHistory(client)
  if (applied.length === 0) return requireNew(client)
  await client.begin(async (tx) => {
    for (const row of applied) {
      for (const statement of repairOf(row, repairs)?.statements ?? []) await tx.unsafe(statement)
      const present = presentOf(row, release, repairs)
      if (present) await note(tx, row, present)
    }
    requireBeginning(await readHistory(tx), release)
  })
}

/** The migrations that a start would run, with the same refusals; changes nothing. */
export async function findPending(
  client: postgres.Sql,
  release: Migration[],
  repairs: Repair[],
): Promise<Migration[]> {
  const applied = await readHistory(client)
  if (applied.length === 0) await requireNew(client)
  const settled = applied.map((row) => {
    const { hash, folderMillis } = presentOf(row, release, repairs) ?? { ...row, folderMillis: row.at }
    return { ...row, hash, at: folderMillis }
  })
  requireBeginning(
    settled.toSorted((one, other) => one.at - other.at || one.id - other.id),
    release,
  )
  return release.slice(applied.length)
}

const repairOf = (row: Applied, repairs: Repair[]) => repairs.find(({ from }) => row.hash.startsWith(from))

/** The migration of this release for a row, even if the row has an earlier text. */
const presentOf = (row: Applied, release: Migration[], repairs: Repair[]): Migration | undefined =>
  repairOf(row, repairs)?.became ?? release.find(({ hash }) => hash === row.hash)

export async function readHistory(sql: postgres.ISql): Promise<Applied[]> {
  const [found] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as known`
  if (!found?.known) return []
  return sql<Applied[]>`
    select id, hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at, id`
}

/** Drizzle compares only times: a row with the time of an earlier text would run its migration again. */
async function note(tx: postgres.ISql, row: Applied, { hash, folderMillis }: Migration) {
  if (row.hash === hash && row.at === folderMillis) return
  await tx`update drizzle.__drizzle_migrations set hash = ${hash}, created_at = ${folderMillis} where id = ${row.id}`
}

/** Whether the applied migrations are a prefix of the release. */
export const isPrefix = (applied: { hash: string }[], release: Migration[]) =>
  applied.every(({ hash }, place) => hash === release[place]?.hash)

function requireBeginning(applied: Applied[], release: Migration[]) {
  if (isPrefix(applied, release)) return
  const newest = release.at(-1)?.folderMillis ?? 0
  throw new ConfigError(
    applied.some(({ at }) => at > newest)
      ? 'The database was brought up to date by a newer release than this one: start that release, or restore the backup that was made before the upgrade.'
      : 'The history of the database is not one that this release knows (drizzle.__drizzle_migrations differs from migrations/): start the release that made it, or restore a backup.',
  )
}

async function requireNew(client: postgres.Sql) {
  await requireFinished(client)
  await requireNoTables(client)
}

/** Tables without a migration history belong to another application. Those of extensions do not count. */
export async function requireNoTables(client: postgres.Sql) {
  const [table] = await client`
    select relname as name from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') limit 1`
  if (table)
    throw new ConfigError(
      `The database holds tables that Folkmoot did not make (${table.name}): give it an empty database of its own in DATABASE_URL.`,
    )
}
