import { ago, DAY_MS } from '@/core/clock'
import { invalidField } from '@/core/errors'
import type { Tx } from '@/db/client'
import { isPictureType, MODEL_TYPE } from './content/content-types'
import { canonicalUrl, keyOf } from './key'
import {
  findReady,
  type LockedUpload,
  lockReady,
  markUnusedSince,
  markUsed,
  type PicturePlace,
} from './uses/queries'

type Fields = Record<string, unknown>

/**
 * Validates image URLs before they are stored. A URL of ours must be the caller's own checked file of this category or `media`; it
 * is locked until the commit, so that it cannot be removed meanwhile. The current value may stay, even if another person owns it.
 * Foreign URLs are accepted unchanged. Other people's files are refused like missing ones.
 */
export async function usePictures<C extends Fields>(
  tx: Tx,
  userId: string,
  places: PicturePlace[],
  change: C,
  before: Fields = {},
): Promise<C> {
  const named = places.flatMap((place) => {
    const address = change[place.field]
    const key = keyIn(address)
    return key === undefined ? [] : [{ place, key, address: address as string }]
  })
  if (named.length === 0) return change
  const held = await lockReady(
    tx,
    named.map(({ key }) => key),
  )
  for (const { place, key } of named) {
    const upload = held.find((one) => one.key === key)
    const mayUse = upload?.ownerId === userId || keyIn(before[place.field]) === key
    if (!upload || !mayUse || !fits(upload, place)) throw invalidField(place.field, expected(place))
  }
  if (held.some(({ unusedSince }) => unusedSince !== null))
    await markUsed(
      tx,
      held.map(({ id }) => id),
    )
  const addresses = named.map(({ place, key, address }) => [place.field, canonicalUrl(key, address)])
  return { ...change, ...Object.fromEntries(addresses) }
}

/** A URL for a copy; null if the file is gone. */
export async function pictureForCopy(tx: Tx, address: string | null): Promise<string | null> {
  const key = keyIn(address)
  return key === undefined || (await findReady(tx, key)) ? address : null
}

/** Marks images of deleted rows as unused without the day of grace, unless another place uses them. */
export async function endPictures(tx: Tx, addresses: (string | null)[]): Promise<void> {
  const keys = addresses.flatMap((address) => keyIn(address) ?? [])
  if (keys.length > 0) await markUnusedSince(tx, keys, ago(DAY_MS))
}

const keyIn = (address: unknown) => (typeof address === 'string' ? keyOf(address) : undefined)

const fits = ({ category, contentType }: LockedUpload, place: PicturePlace) =>
  (category === place.category || category === 'media') && isShown(place, contentType)

const isShown = ({ kind }: PicturePlace, contentType: string) =>
  kind === 'model' ? contentType === MODEL_TYPE : isPictureType(contentType)

const expected = ({ category, kind = 'picture' }: PicturePlace) =>
  `must be the address of a ${kind} that you uploaded in the category ${category === 'media' ? 'media' : `${category} or media`}, and that has been checked, or of one elsewhere`
