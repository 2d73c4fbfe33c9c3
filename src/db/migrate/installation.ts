import type postgres from 'postgres'
import { ConfigError } from '@/config/error'

export type Use = 'demo' | 'production'

/** The mail domain of the demo people; it has no mailboxes. */
export const DEMO_DOMAIN = 'demo.folkmoot.example'

const REFUSALS: Record<Use, string> = {
  demo:
    'This database is in real use, and the demo would add people to it and write tokens for all of them into a file: ' +
    'set DATA_DIR or DATABASE_URL to one of its own, or start this one with "bun run start".',
  production:
    'This database is the demo, whose tokens lie open in demo.json: set DATA_DIR or DATABASE_URL to one of its own; ' +
    'if the demo came into a database in real use, restore the backup from before that.',
}

/** Refuses a database with another use, before any change. */
export async function requireUse(client: postgres.Sql, use: Use): Promise<void> {
  const found = (await usedFor(client)) ?? (await usedUntilNow(client))
  if (found !== undefined && found !== use) throw new ConfigError(REFUSALS[use])
}

/** Marks the use of a database, under the migration lock, so that one of two first starts decides. */
export const markUse = (client: postgres.Sql, use: Use) =>
  client`insert into installation (use) values (${use}) on conflict do nothing`

async function usedFor(client: postgres.Sql): Promise<Use | undefined> {
  if (!(await hasTable(client, 'public.installation'))) return undefined
  const [row] = await client<{ use: Use }[]>`select use from installation`
  return row?.use
}

/**
 * The use of a database without a mark, from an earlier release: demo people are recognized by their addresses. A users table
 * without a migration history belongs to another application, which another check refuses.
 */
async function usedUntilNow(client: postgres.Sql): Promise<Use | undefined> {
  if (!(await hasTable(client, 'drizzle.__drizzle_migrations'))) return undefined
  if (!(await hasTable(client, 'public.users'))) return undefined
  const [row] = await client<{ some: boolean; demo: boolean }[]>`
    select exists (select from users) as some,
      exists (select from users where email like ${`%@${DEMO_DOMAIN}`}) as demo`
  if (row?.demo) return 'demo'
  return row?.some ? 'production' : undefined
}

export async function hasTable(client: postgres.Sql, name: string): Promise<boolean> {
  const [row] = await client`select to_regclass(${name}) is not null as found`
  return row?.found === true
}
