import { Client } from 'pg'
import { sessionAddress } from '../servers/direct'

/**
 * One transaction on a connection of its own, for work that takes as long as it takes. How values are written does not
 * depend on what the server, the database or the user prefer. An error breaks the connection off, and nothing has happened.
 */
export async function inSession<T>(
  url: string,
  begin: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { address, ssl } = await sessionAddress(url)
  const client = new Client({
    connectionString: address,
    ssl: ssl || undefined,
    application_name: 'folkmoot-backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // Whoever waits for a statement is told as well.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(begin)
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(`set local ${name} = ${client.escapeLiteral(value)}`)
    const result = await work(client)
    await client.query('commit')
    await client.end()
    return result
  } catch (error) {
    // A copy that is under way would keep a polite end waiting.
    ;(client as Client & { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    throw error
  }
}

const SETTINGS = {
  statement_timeout: '0',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
  client_encoding: 'UTF8',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  search_path: 'public',
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
