import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase, startServer } from '../support/processes'
import { seedPeople } from '../support/seed'

const VARIANTS = ['Grace-Hopper', 'grace-hopper', 'GRACE-HOPPER', 'gRaCe-HoPpEr']

test('many people race for one name in any mix of case, over three processes: one wins, the others hear 409', async () => {
  const databaseUrl = await ownDatabase()
  const people = await seedPeople(databaseUrl, 40)
  const servers = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL: databaseUrl })))
  const claim = (token: string, i: number, username: string) =>
    fetch(`${servers[i % 3]?.url}/v1/profile`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ username }),
    })
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      people.map(({ token }, i) => claim(token, i, `${VARIANTS[i % VARIANTS.length]}-${round}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(39).fill(409)])
  }
  // Letters that only look alike are no letters of a username at all.
  for (const odd of ['gr\u0430ce-hopper', '\uff47race', 'grac\u00e9'])
    expect((await claim(people[0]?.token as string, 0, odd)).status).toBe(400)
  for (const server of servers) await server.stop('SIGKILL')
})

test('control: without the unique index the same race has several winners', async () => {
  const databaseUrl = await ownDatabase()
  const people = await seedPeople(databaseUrl, 20)
  const sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
  await sql`drop index users_username_key`
  let looked = 0
  const everyone = Promise.withResolvers<void>()
  await Promise.all(
    people.map(({ id }) =>
      sql.begin(async (tx) => {
        const [taken] = await tx`select 1 from users where lower(username) = 'grace-hopper'`
        looked += 1
        if (looked === people.length) everyone.resolve()
        await everyone.promise
        if (!taken) await tx`update users set username = 'Grace-Hopper' where id = ${id}`
      }),
    ),
  )
  const [row] = await sql`select count(*)::int as winners from users where lower(username) = 'grace-hopper'`
  expect(row?.winners).toBeGreaterThan(1)
  await sql.end()
})
