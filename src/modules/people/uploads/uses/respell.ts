import { queueDb } from '@/db/client'
import { SLICE } from '@/db/delete-in-slices'
import { transaction } from '@/db/transaction'
import { keysWithHost, listReady, type PicturePlace, respellPlace } from './queries'

/**
 * Takes the host out of stored addresses of our files. Release 1.1 wrote it, so a backup of it that is restored under another
 * BASE_URL points to the old one. It runs hourly instead of as a migration: the release before cannot read addresses without a host.
 */
export async function respell(places: PicturePlace[]): Promise<void> {
  for (let after = NOBODY, found = SLICE; found === SLICE; ) {
    const files = await listReady(queueDb, after, SLICE)
    found = files.length
    after = files.at(-1)?.id ?? after
    const keys = await keysWithHost(
      queueDb,
      places,
      files.map(({ key }) => key),
    )
    if (keys.length > 0)
      await transaction(async (tx) => {
        for (const place of places) await respellPlace(tx, place, keys)
      }, queueDb)
  }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
