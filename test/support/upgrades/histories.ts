import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { databaseNamed } from '../template'
import { fillAsBefore } from './data'

const folder = join(import.meta.dir, '../../../migrations')
const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
  readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
)

type Step = { text: string; when: number }
/** A database as some release left it: the migrations that it had run, word for word. */
export type History = { name: string; steps: Step[] }

const present: Step[] = journal.entries.map(({ tag, when }) => ({
  text: readFileSync(join(folder, `${tag}.sql`), 'utf8'),
  when,
}))
const earlier = (name: string, when: number): Step => ({
  text: readFileSync(join(import.meta.dir, `${name}.sql`), 'utf8'),
  when,
})

/** Texts that stood in a release and were rewritten in a later one, each with the time that its journal gave it. */
const COMMUNITY_1 = earlier('0002_community.first', 1794711592156)
const RECOGNITION_1 = earlier('0003_recognition.first', 1794718436912)
const WEBHOOKS_1 = earlier('0005_webhooks.first', 1794719787889)
const RULES_1 = earlier('0009_rules.first', 1794740205267)
const RULES_2 = earlier('0009_rules.second', 1794740205267)

/** The first `length` migrations, with some of them in an earlier text. */
const history = (name: string, length: number, replaced: Record<number, Step> = {}): History => ({
  name,
  steps: present.slice(0, length).map((step, place) => replaced[place] ?? step),
})

/** Every schema that a release has left behind: each migration as the last one, and all that was rewritten. */
export const HISTORIES: History[] = [
  ...journal.entries.map(({ tag }, place) => history(tag, place + 1)),
  history('0002 in its first text', 3, { 2: COMMUNITY_1 }),
  history('0003 in its first text', 4, { 3: RECOGNITION_1 }),
  history('0003 in its first text, then 0004', 5, { 3: RECOGNITION_1 }),
  history('0003 in its first text, and releases up to 0011', 12, { 3: RECOGNITION_1 }),
  history('0005 in its first text', 6, { 5: WEBHOOKS_1 }),
  history('0003 and 0005 in their first texts', 6, { 3: RECOGNITION_1, 5: WEBHOOKS_1 }),
  history('0009 in its first text', 10, { 9: RULES_1 }),
  history('0009 in its first text, then 0010', 11, { 9: RULES_1 }),
  history('0009 in its first text, then 0011', 12, { 9: RULES_1 }),
  history('0009 in its second text', 10, { 9: RULES_2 }),
  history('0009 in its second text, then 0010', 11, { 9: RULES_2 }),
  history('0009 in its second text, then 0011', 12, { 9: RULES_2 }),
]

/** Makes a database as that release would have, with a few rows in it. */
export async function databaseOf({ steps }: History): Promise<string> {
  const url = await emptyDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`create schema drizzle`
  await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
  for (const { text, when } of steps) {
    await sql.begin(async (tx) => {
      for (const statement of text.split('--> statement-breakpoint')) await tx.unsafe(statement)
    })
    const hash = createHash('sha256').update(text).digest('hex')
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`
  }
  await fillAsBefore(sql)
  await sql.end()
  return url
}

export async function emptyDatabase(): Promise<string> {
  const adminUrl = process.env.TEST_DATABASE_URL as string
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  const name = `upgrade_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  return databaseNamed(adminUrl, name)
}
