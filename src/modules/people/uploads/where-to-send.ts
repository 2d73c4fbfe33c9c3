import { nowMs } from '@/core/clock'
import { storage } from '@/outbound/storage/current'
import { addressFor, type Terms } from './address'
import { explainStorage } from './failures'
import { incomingName } from './objects'

/** A store that takes files itself does not say when one has come: the worker looks. */
const FIRST_LOOK_MS = 1000

type Where = { uploadUrl: string; incoming: string | null; nextCheckAt: Date | null }

/** The address for the bytes: of the store, where that takes them from clients itself, else of ours. */
export async function whereToSend(terms: Terms): Promise<Where> {
  if (!storage.presign) return { uploadUrl: addressFor(terms), incoming: null, nextCheckAt: null }
  const incoming = crypto.randomUUID()
  const uploadUrl = await storage
    .presign(incomingName(incoming), {
      length: terms.size,
      type: terms.contentType,
      lastsSeconds: Math.max(1, Math.floor((terms.expiresAt.getTime() - nowMs()) / 1000)),
    })
    .catch(explainStorage)
  return { uploadUrl, incoming, nextCheckAt: new Date(nowMs() + FIRST_LOOK_MS) }
}
