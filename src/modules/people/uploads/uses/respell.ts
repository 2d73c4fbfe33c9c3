import { FIRST_ID } from '@/core/ids'
import { queueDb } from '@/db/client'
import { SLICE } from '@/db/delete-in-slices'
import { transaction } from '@/db/transaction'
import { keysWithHost, listReady, type PicturePlace, respellPlace } from './queries'

/**
 * Removes the host from stored URLs. Release 1.1 stored it, so its backups point to the old host when restored under another
 * BASE_URL. Not a migration, because the previous release cannot read URLs without a host; runs hourly.
 */
export async function respell(places: PicturePlace[]): Promise<void> {
  for (let after = FIRST_ID, found = SLICE; found === SLICE; ) {
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
