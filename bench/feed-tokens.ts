import postgres from 'postgres'
import { newFeedToken } from '@/modules/access/feed-tokens/secrets'

/** People with a token each for their own feed, and a favorite group. Says the tokens. */
async function seedTokens(databaseUrl: string, count: number): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const people = await sql<
    { id: string }[]
  >`select id from users where username like 'bench-person-%' limit ${count}`
  const made = people.map(({ id }) => newFeedToken(id))
  for (let i = 0; i < made.length; i += 1000)
    await sql`insert into feed_tokens ${sql(
      made.slice(i, i + 1000).map(({ row }) => ({
        id: row.id,
        user_id: row.userId,
        hash: Buffer.from(row.hash),
        sealed: Buffer.from(row.sealed),
      })),
    )}`
  await sql`
    insert into favorites (user_id, group_id)
    select owner.user_id, home.id from (select user_id, row_number() over () as n from feed_tokens) owner
      join (select id, row_number() over () as n from groups where urlname like 'bench-group-%') home
        on home.n = 1 + owner.n % 200`
  await sql.end()
  return made.map(({ token }) => token)
}

const tokens = await seedTokens(process.env.DATABASE_URL as string, Number(process.argv[2]))
process.stdout.write(JSON.stringify(tokens), () => process.exit(0))
