import { randomBytes } from 'node:crypto'
import { TOKEN_PREFIX } from '@/auth/credentials'
import { isCheckedSecret, randomHex } from '@/core/codes'
import { closeDatabase, connectDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate/migrate'
import { mayBeginStorage } from '@/modules/people/uploads/present'
import { useMayBegin } from '@/outbound/storage/current'
import { makeClient, makeGrant } from '../test/modules/access/developer-apps/fixtures'
import { makeCaller, makeSession } from '../test/support/make'
import { makeUpload } from '../test/support/make-upload'
import { type Dataset, fillDataset } from './dataset'

export type Seed = {
  token: string
  accessToken: string
  inventedToken: string
  picture: { key: string; etag: string }
  /** The cookie of somebody who is signed in. */
  cookie: string
  /** An event with guests. */
  eventId: string
}

const PICTURE_BYTES = 100_000

/** What the rows need to be there. Runs as a process of its own and says what it made. */
async function seed(databaseUrl: string, dataset: Dataset): Promise<Seed> {
  await migrateDatabase(databaseUrl)
  connectDatabase(databaseUrl, { max: 1, statementTimeoutMs: 10_000, name: 'folkmoot-bench' })
  useMayBegin(mayBeginStorage)
  const { user, token } = await makeCaller(['user', 'read:events', 'read:groups'])
  const { accessToken } = await makeGrant((await makeClient()).clientId, user.id, ['user'])
  const picture = await makeUpload(user.id, {
    content: randomBytes(PICTURE_BYTES),
    contentType: 'image/jpeg',
  })
  const cookie = `session=${await makeSession(user.id)}`
  await closeDatabase()
  const { eventId } = await fillDataset(databaseUrl, dataset)
  return {
    token,
    accessToken,
    inventedToken: inventToken(),
    picture: { key: picture.key, etag: `"${picture.sha256}"` },
    cookie,
    eventId,
  }
}

/** Looks like a token; only its checksum is wrong. */
function inventToken(): string {
  const token = TOKEN_PREFIX + randomHex(20)
  return isCheckedSecret(TOKEN_PREFIX, token) ? inventToken() : token
}

if (import.meta.main) {
  const made = await seed(
    process.env.DATABASE_URL as string,
    JSON.parse(process.argv[2] as string) as Dataset,
  )
  process.stdout.write(JSON.stringify(made), () => process.exit(0))
}
