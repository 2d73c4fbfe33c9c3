import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, createServer } from 'node:net'
import postgres from 'postgres'
import { reasonOf } from '@/core/reason'
import { certaintyOf } from '@/db/conflicts'
import type { Statement } from '@/db/pool/connection'
import type { Send } from '@/db/pool/on-connection'
import { openPool, type Pool } from '@/db/pool/pool'
import { ownDatabase, until } from '../support/processes'
import { usualDeadlines } from '../support/usual-deadlines'

const rows = (statement: Statement) => statement
const NO_TYPES = { parsers: {}, serializers: {} }

let url: string
let outside: postgres.Sql
const pools: Pool[] = []

let deadlines: Disposable
beforeAll(async () => {
  deadlines = usualDeadlines()
  url = await ownDatabase()
  outside = postgres(url, { max: 1, onnotice: () => {} })
  await outside`create table written (what text unique)`
})

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await outside.end()
  deadlines[Symbol.dispose]()
})

const open = (max: number, statementTimeoutMs = 2000) => {
  const pool = openPool(url, { max, statementTimeoutMs, name: 'pool-test' }, NO_TYPES, () => true)
  pools.push(pool)
  return pool
}
const ask = (send: Send, text: string) => send(text, [], rows)
const reason = (error: unknown) => reasonOf(error).reason
const backend = async (send: Send) => (await ask(send, 'select pg_backend_pid() as pid'))[0]?.pid as number
const written = async () => (await outside`select what from written`).map(({ what }) => what)

describe('a connection', () => {
  test('is exclusive: a statement beside a transaction waits', async () => {
    const pool = open(1)
    const order: string[] = []
    const done = Promise.withResolvers<void>()
    const holder = pool.transaction(async (send) => {
      await ask(send, `insert into written values ('held')`)
      await done.promise
      order.push('transaction')
    })
    const beside = ask(pool.statement, 'select what from written').then((found) => {
      order.push('statement')
      return found.map(({ what }) => what)
    })
    done.resolve()
    await holder
    expect(await beside).toEqual(['held'])
    expect(order).toEqual(['transaction', 'statement'])
  })

  test('that broke in a transaction is replaced for the next holder', async () => {
    const pool = open(1)
    let late: Promise<unknown> | undefined
    const failed = pool.transaction(async (send) => {
      const pid = await backend(send)
      await outside`select pg_terminate_backend(${pid})`
      await until(
        'it is gone',
        async () => (await outside`select from pg_stat_activity where pid = ${pid}`).length === 0,
      )
      late = ask(send, `insert into written values ('outside of everything')`)
      await late.catch(() => {})
      late = ask(send, `insert into written values ('again')`)
      await late
    })
    await expect(failed).rejects.toThrow()
    await expect(late).rejects.toThrow()
    expect(await backend(pool.statement)).toBeNumber()
    expect(await written()).toEqual(['held'])
  })

  test('that broke while idle is replaced', async () => {
    const pool = open(1)
    const pid = await backend(pool.statement)
    await outside`select pg_terminate_backend(${pid})`
    await until(
      'it is gone',
      async () => (await outside`select from pg_stat_activity where pid = ${pid}`).length === 0,
    )
    await until('another is used', async () => (await backend(pool.statement).catch(() => pid)) !== pid)
  })

  test('that timed out is discarded, and its work is rolled back', async () => {
    const pool = open(1, 300)
    await outside`select pg_advisory_lock(42)`
    const pid = await backend(pool.statement)
    await pool.statement('set statement_timeout = 0', [], rows)
    await pool.statement('set lock_timeout = 0', [], rows)
    const stuck = pool.transaction(async (send) => {
      await ask(send, `insert into written values ('stuck')`)
      await ask(send, 'select pg_advisory_lock(42)')
    })
    await expect(stuck).rejects.toMatchObject({ appCode: 'unavailable', cause: { code: 'DATABASE_SILENT' } })
    expect(await backend(pool.statement)).not.toBe(pid)
    await outside`select pg_advisory_unlock(42)`
    await until(
      'the old one has left',
      async () => (await outside`select from pg_stat_activity where pid = ${pid}`).length === 0,
    )
    expect(await written()).toEqual(['held'])
  })

  test('that breaks while opening fails only its holder', async () => {
    const door = await closingDoor()
    const pool = openPool(
      door.url,
      { max: 1, statementTimeoutMs: 2000, name: 'pool-test' },
      NO_TYPES,
      () => true,
    )
    await until('it was tried five times', async () => {
      await expect(ask(pool.statement, 'select 1')).rejects.toThrow()
      return door.opened() === 5
    })
    door.stayOpen()
    await until('it is served', async () => (await backend(pool.statement).catch(() => 0)) > 0)
    await pool.close()
    door.close()
  })

  test('stays open when a statement is refused', async () => {
    const pool = open(1)
    const pid = await backend(pool.statement)
    await expect(ask(pool.statement, `insert into written values ('held')`)).rejects.toMatchObject({
      code: '23505',
    })
    await expect(pool.transaction((send) => ask(send, 'select nothing'))).rejects.toMatchObject({
      code: '42703',
    })
    expect(await backend(pool.statement)).toBe(pid)
  })
})

describe('the certainty of a failed change', () => {
  const failure = (work: Promise<unknown>) => work.then(() => undefined, certaintyOf)
  /** Ends the session of a statement once it waits for the lock that `outside` holds. */
  const endWaiting = () =>
    until(
      'it waits',
      async () =>
        // Other tests wait for advisory locks of their own databases on this server.
        (
          await outside`select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
            where locktype = 'advisory' and not granted and datname = current_database()`
        ).length > 0,
    )
  /** Runs `work` while it cannot end, and ends its session. */
  async function interrupted(work: (pool: Pool) => Promise<unknown>): Promise<string | undefined> {
    await outside`select pg_advisory_lock(43)`
    try {
      const failed = failure(work(open(1)))
      await endWaiting()
      return await failed
    } finally {
      await outside`select pg_advisory_unlock(43)`
    }
  }
  const WAITING = 'select pg_advisory_xact_lock(43)'

  beforeAll(async () => {
    await outside`create table slow (what text)`
    await outside`create function wait_for_43() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(43); return null; end'`
    await outside`create constraint trigger at_commit after insert on slow deferrable initially deferred
      for each row execute function wait_for_43()`
  })

  test('is unknown if its connection ends during the commit', async () => {
    const insert = (send: Send) => ask(send, `insert into slow values ('x')`)
    expect(await interrupted((pool) => pool.transaction(insert))).toBe('unknown')
    expect(await interrupted((pool) => insert(pool.statement))).toBe('unknown')
  })

  test('is rolled back if its connection ends before the commit, or PostgreSQL refuses it', async () => {
    expect(await interrupted((pool) => pool.transaction((send) => ask(send, WAITING)))).toBe('unavailable')
    expect(await interrupted((pool) => ask(pool.statement, WAITING))).toBe('unavailable')
    expect(await failure(ask(open(1).statement, `insert into written values ('held')`))).toBe('unavailable')
  })

  test('is unknown if the commit times out', async () => {
    const pool = open(1, 300)
    await outside`select pg_advisory_lock(43)`
    const silent = failure(
      pool.transaction(async (send) => {
        await ask(send, 'set local statement_timeout = 0')
        await ask(send, 'set local lock_timeout = 0')
        await ask(send, `insert into slow values ('late')`)
      }),
    )
    expect(await silent).toBe('unknown')
    await outside`select pg_advisory_unlock(43)`
    // It did happen: undoing it would have lost it.
    await until('it is there', async () => (await outside`select from slow where what = 'late'`).length === 1)
  })
})

describe('a transaction', () => {
  test('with a failed statement never counts as committed, even if the error was ignored', async () => {
    const pool = open(1)
    const careless = pool.transaction(async (send) => {
      await ask(send, `insert into written values ('careless')`)
      await ask(send, `insert into written values ('held')`).catch(() => {})
    })
    await expect(careless).rejects.toMatchObject({ code: '23505' })
    expect(await written()).toEqual(['held'])
  })

  test('that has ended accepts no more statements', async () => {
    const pool = open(1)
    let kept: Send | undefined
    await pool.transaction(async (send) => {
      kept = send
    })
    await expect(ask(kept as Send, `insert into written values ('late')`)).rejects.toThrow('is over')
    expect(await written()).toEqual(['held'])
  })
})

describe('a pool', () => {
  test('backs off from a server that refuses connections', async () => {
    const door = await closingDoor()
    const pool = openPool(
      door.url,
      { max: 4, statementTimeoutMs: 2000, name: 'pool-test' },
      NO_TYPES,
      () => true,
    )
    const reasons = new Set<string | undefined>()
    for (let attempt = 0; attempt < 1000; attempt += 1)
      reasons.add(await ask(pool.statement, 'select 1').then(() => 'it was served', reason))
    expect(door.opened()).toBeLessThan(100)
    // Those that were not tried say why the last one failed.
    expect([...reasons]).toEqual(['the connection was lost'])
    await pool.close()
    door.close()
  })

  test('answers first requests by open connections while others open', async () => {
    const door = await closingDoor()
    door.stayOpen()
    const pool = openPool(
      door.url,
      { max: 4, statementTimeoutMs: 2000, name: 'pool-test' },
      NO_TYPES,
      () => true,
    )
    await ask(pool.statement, 'select 1')
    door.hold()
    const first = Array.from({ length: 20 }, () => ask(pool.statement, 'select 1'))
    expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(Array(20).fill('fulfilled'))
    expect(door.opened()).toBeWithin(2, 4)
    // One that was being opened must not outlive the pool: its process would never end.
    await pool.close()
    door.release()
    await until('nobody is connected', () => door.connected() === 0)
    door.close()
  })

  test('bounds its queue and rejects the rest at once', async () => {
    const pool = open(1)
    await ask(pool.statement, 'select 1')
    const done = Promise.withResolvers<void>()
    const holder = pool.transaction(() => done.promise)
    const waiting = Array.from({ length: 300 }, () => ask(pool.statement, 'select 1'))
    const refused = await Promise.all(waiting.slice(201).map((asked) => asked.catch(reason)))
    expect(refused).toEqual(Array(99).fill('all connections to the database are in use'))
    done.resolve()
    await holder
    expect(
      (await Promise.allSettled(waiting.slice(0, 201))).every(({ status }) => status === 'fulfilled'),
    ).toBe(true)
  })

  test('closes its connections after running statements', async () => {
    const pool = open(2)
    const pid = await backend(pool.statement)
    const begun = Promise.withResolvers<void>()
    const under = pool.transaction(async (send) => {
      begun.resolve()
      await ask(send, 'select pg_sleep(0.1)')
      return 'finished'
    })
    await begun.promise
    await pool.close()
    expect(await under).toBe('finished')
    await until(
      'it is gone',
      async () => (await outside`select from pg_stat_activity where pid = ${pid}`).length === 0,
    )
    await expect(ask(pool.statement, 'select 1')).rejects.toMatchObject({ appCode: 'unavailable' })
  })
})

/** Leads to the database, and cuts each connection with the first thing that is asked after the greeting, or leaves it without one. */
async function closingDoor() {
  const { hostname, port } = new URL(url)
  let isClosing = true
  let held: (() => void)[] | undefined
  let opened = 0
  let connected = 0
  const server = createServer((client) => {
    opened += 1
    connected += 1
    client
      .on('error', () => {})
      .on('close', () => {
        connected -= 1
      })
    const lead = () => {
      const behind = connect(Number(port), hostname).on('error', () => {})
      let isGreeted = false
      behind.on('data', (data: Buffer) => {
        isGreeted ||= data.includes(READY)
        client.write(data)
      })
      client.on('data', (data) => {
        if (isGreeted && isClosing) client.destroy()
        else behind.write(data)
      })
      client.on('close', () => behind.destroy())
    }
    if (held) held.push(lead)
    else lead()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const door = new URL(url)
  door.port = String((server.address() as { port: number }).port)
  return {
    url: door.href,
    opened: () => opened,
    stayOpen: () => {
      isClosing = false
    },
    connected: () => connected,
    /** Lets those who come from now on wait for `release`. */
    hold: () => {
      held = []
    },
    release: () => {
      for (const lead of held ?? []) lead()
      held = undefined
    },
    close: () => server.close(),
  }
}

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
