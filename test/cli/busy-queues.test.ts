import { expect, test } from 'bun:test'
import { runFolkmoot } from '../support/command-line'
import { ownDatabase, until } from '../support/processes'

test('folkmoot jobs waits for busy queues', async () => {
  const DATABASE_URL = await ownDatabase()
  const sql = new Bun.SQL(DATABASE_URL, { max: 1 })
  const folkmoot = (...words: string[]) => runFolkmoot(words, { DATABASE_URL })
  expect((await folkmoot('jobs')).exitCode).toBe(0)
  const tables = await sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname like '%bull%' or tablename like '%bull%'`
  expect(tables.length).toBeGreaterThan(0)
  const answer = await sql.begin(async (tx) => {
    await tx.unsafe(`lock table ${tables.map(({ name }: { name: string }) => name).join(', ')}`)
    const asking = folkmoot('jobs')
    const isWaiting = async () =>
      (
        await tx`select from pg_locks join pg_database on pg_database.oid = database
          where not granted and datname = current_database()`
      ).length > 0
    await until('it waits', isWaiting)
    // Longer than a request would wait.
    await Bun.sleep(2500)
    return { asking }
  })
  expect(await answer.asking).toMatchObject({ exitCode: 0, output: expect.stringContaining('reactions') })
  expect(await folkmoot('jobs', 'dead')).toMatchObject({ exitCode: 0, output: 'No failed work.\n' })
  await sql.close()
})
