import postgres from 'postgres'
import { direct } from '../servers/direct'
import { isPooled, LOOK } from '../servers/look'
import { requireWays } from '../servers/pooler'
import { forgetPrimary, primaryOf } from '../servers/primary'
import { requireTls } from './server-requirements'

/** A connection with a session of its own to the server that takes writes, once all ways there are known to be usable. */
export async function openSession(url: string): Promise<postgres.Sql> {
  const way = direct(url)
  const { address, ssl } = await primaryOf(way)
  if (ssl) await requireTls(address)
  // Nothing that is asked here answers in arrays, so their types are not asked for: every start would wait for that.
  const client = postgres(address, {
    max: 1,
    ssl,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 5,
  })
  try {
    const rows = await client.unsafe(LOOK)
    if (way !== url || isPooled(rows)) await requireWays(url)
    return client
  } catch (error) {
    forgetPrimary(way)
    await client.end({ timeout: 0 })
    throw error
  }
}
