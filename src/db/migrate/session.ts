import postgres from 'postgres'
import { direct } from '../servers/direct'
import { isPooled, LOOK } from '../servers/look'
import { requireCompatiblePoolers } from '../servers/pooler'
import { forgetPrimary, primaryOf } from '../servers/primary'
import { requireTls } from './server-requirements'

/** A dedicated session on the primary, after checking all configured ways to it. */
export async function openSession(url: string): Promise<postgres.Sql> {
  const directUrl = direct(url)
  const { address, ssl } = await primaryOf(directUrl)
  if (ssl) await requireTls(address)
  // No array types needed: fetching them would delay every start.
  const client = postgres(address, {
    max: 1,
    ssl,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 5,
  })
  try {
    const rows = await client.unsafe(LOOK)
    if (directUrl !== url || isPooled(rows)) await requireCompatiblePoolers(url)
    return client
  } catch (error) {
    forgetPrimary(directUrl)
    await client.end({ timeout: 0 })
    throw error
  }
}
