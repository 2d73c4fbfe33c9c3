import { Client } from 'pg'
import { sessionAddress } from '../servers/direct'

/**
 * One transaction on its own connection, without a time limit. Fixes the settings that affect how values are written. An error
 * breaks the connection, which rolls back.
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
  // The awaiting statement gets the error too.
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
    // A running COPY would delay a graceful end.
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
