import { expect, test } from 'bun:test'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { ErrorCode } from '@/core/errors'
import { db } from '@/db/client'
import { refusalOf } from '@/db/conflicts'
import { users } from '@/db/tables/users'
import { makeUser } from '../support/make'

/** What the database says to a statement, as callers hear it. */
const refusalTo = async (
  statement: SQL,
  before?: SQL,
): Promise<ErrorCode | 'a fault of ours' | 'nothing'> => {
  try {
    await db.transaction(async (tx) => {
      if (before) await tx.execute(before)
      await tx.execute(statement)
    })
    return 'nothing'
  } catch (error) {
    return refusalOf(error)?.appCode ?? 'a fault of ours'
  }
}

test('what the database refuses is said in the words of the contract', async () => {
  const { id, username } = await makeUser()
  const nobody = Bun.randomUUIDv7()
  const insertPerson = (name: string | null) =>
    sql`insert into users (id, name, username) values (${Bun.randomUUIDv7()}, 'x', ${name})`
  const insertToken = sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
    values (${Bun.randomUUIDv7()}, ${nobody}, 'x', '\\x00', 'x', '{user}')`
  expect({
    twice: await refusalTo(insertPerson(username)),
    ofNobody: await refusalTo(insertToken),
    tooLarge: await refusalTo(sql`select ${'99999999999'}::int`),
    noNumber: await refusalTo(sql`select ${'one'}::int`),
    noTime: await refusalTo(sql`select ${'2031-02-30'}::date`),
    tooLong: await refusalTo(sql`select pg_sleep(5)`, sql`set local statement_timeout = 20`),
    broken: await refusalTo(sql`select nothing from nowhere`),
  }).toEqual({
    twice: 'conflict',
    ofNobody: 'conflict',
    tooLarge: 'bad_request',
    noNumber: 'bad_request',
    noTime: 'bad_request',
    tooLong: 'unavailable',
    broken: 'a fault of ours',
  })
  await db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, id)).for('update')
    const waiting = sql`select 1 from users where id = ${id} for update`
    expect(await refusalTo(waiting, sql`set local lock_timeout = 20`)).toBe('unavailable')
  })
})
