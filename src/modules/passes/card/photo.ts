import { keyOf, publicUrl } from '@/modules/people/uploads/key'
import { servedFiles } from '@/modules/people/uploads/serve/cache'
import { contentOf } from '@/modules/people/uploads/serve/content'
import type { Version } from '@/modules/people/uploads/serve/versions'
import type { Photo } from './vcard'

/** Phones take pictures of about this size within a contact. */
const BYTES_MAX = 50_000
const TYPES: Record<string, 'JPEG' | 'PNG'> = { 'image/jpeg': 'JPEG', 'image/png': 'PNG' }

/**
 * The picture of a contact, from our own storage alone. It comes within the contact, since phones fetch none; what is
 * too large for that or of another type is named by its address, which address books of desks fetch.
 */
export async function photoOf(address: string | null): Promise<Photo | null> {
  const key = address === null ? undefined : keyOf(address)
  if (!key) return null
  // Without its picture, where that is gone or the store does not answer, a contact is still worth having.
  return within(key).catch(() => null)
}

async function within(key: string): Promise<Photo> {
  const { smaller, whole } = await servedFiles.get(key)
  const versions = [smaller.get(320)?.own, whole, smaller.get(160)?.own, smaller.get(64)?.own]
  const version = versions.find((one): one is Version => one !== undefined && fits(one))
  const content = version && (await contentOf(version))
  const type = version && TYPES[version.contentType]
  return content && type
    ? { type, bytes: await new Response(content).bytes() }
    : { url: `${publicUrl(key)}?w=320` }
}

const fits = ({ size, contentType }: Version) => size <= BYTES_MAX && contentType in TYPES
