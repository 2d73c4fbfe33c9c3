import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A migration of this release: its place in time and the SHA-256 of its text, as drizzle notes them. */
export type Migration = { hash: string; folderMillis: number }

/** Statements that turn the schema of an earlier text of a migration into that of its present one. */
export type Repair = { from: string; became: Migration; statements: string[] }

const NAME = /^(?<tag>\w+)\.from-(?<from>[0-9a-f]{12})\.sql$/

/**
 * Reads `repairs/<migration>.from-<first digits of the earlier text's hash>.sql`. There are as many as texts that were
 * rewritten before that was forbidden; no new ones are to come.
 */
export function readRepairs(migrationsFolder: string, release: Migration[]): Repair[] {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const folder = join(migrationsFolder, 'repairs')
  return readdirSync(folder).map((name) => {
    const { tag, from = '' } = NAME.exec(name)?.groups ?? {}
    const became = release[entries.findIndex((entry) => entry.tag === tag)]
    if (!became) throw new Error(`${name} repairs no migration of this release`)
    const statements = readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint')
    return { from, became, statements }
  })
}
