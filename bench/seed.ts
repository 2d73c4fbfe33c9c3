import { TOKEN_PREFIX } from '@/auth/identify'
import { isCheckedSecret, randomHex } from '@/core/codes'
import { closeDatabase, connectDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { makeCaller } from '../test/support/make'

export type Seed = { token: string; inventedToken: string }

/** What the rows need to be there. Import this once the environment is set: configuration is read on import. */
export async function seed(databaseUrl: string): Promise<Seed> {
  await migrateDatabase(databaseUrl)
  connectDatabase(databaseUrl, { max: 1, statementTimeoutMs: 10_000, name: 'folkmoot-bench' })
  try {
    const { token } = await makeCaller(['user'])
    return { token, inventedToken: inventToken() }
  } finally {
    await closeDatabase()
  }
}

/** Looks like a token; only its checksum is wrong. */
function inventToken(): string {
  const token = TOKEN_PREFIX + randomHex(20)
  return isCheckedSecret(TOKEN_PREFIX, token) ? inventToken() : token
}
