import { config } from '@/config/config'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { internal } from '@/core/page'
import { inline } from '@/http/downloads/disposition'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { isPassId } from '@/modules/passes/passes/id'
import { findPassInUse } from '@/modules/passes/passes/look-up'
import { ownerShown } from '@/modules/passes/passes/owner-shown'
import { PassInput } from '@/modules/passes/passes/schema'
import { keyOf, publicUrl } from '@/modules/people/uploads/key'
import { servedFiles } from '@/modules/people/uploads/serve/cache'
import { contentOf } from '@/modules/people/uploads/serve/send'
import type { Version } from '@/modules/people/uploads/serve/versions'
import { type Photo, vcardOf } from './vcard'

type Contact = { name: string; username: string | null; card: string }

export const readPassContact = action({
  name: 'readPassContact',
  access: 'none',
  reads: true,
  summary: 'Save the owner of a pass as a contact',
  description:
    'A vCard 3.0 with name, picture, profile address and links; for a private profile only name and picture. Does not create a connection.',
  input: PassInput,
  output: internal<Contact>(),
  errors: ['not_found', 'gone'],
  countsMiss: isPassId,
  run: async (_, { id }) => {
    const { owner } = await findPassInUse(id)
    if (owner === null) throw notFound('Contact')
    const { name, username, avatarUrl, socialLinks } = ownerShown(owner)
    const profile = username === null ? [] : [`${config.baseUrl}/u/${username}`]
    const addresses = [...profile, ...socialLinks]
    return { name, username, card: vcardOf({ name, photo: await photoOf(avatarUrl), addresses }) }
  },
})

const HEADERS = { 'content-type': 'text/vcard; charset=utf-8', 'cache-control': 'private, no-cache' }

/** Inline: phones open their address book, and an attachment would only be saved as a file. */
export const sendContact = (visit: Visit, { name, username, card }: Contact) =>
  respondTagged(visit, tagged(card), HEADERS, {
    'content-disposition': inline(`${name}.vcf`, username ?? 'contact'),
  })

/** Phones accept embedded photos of about this size. */
const BYTES_MAX = 50_000
const TYPES: Record<string, 'JPEG' | 'PNG'> = { 'image/jpeg': 'JPEG', 'image/png': 'PNG' }

/**
 * Only images from our own storage. Small ones are embedded, because phones fetch none; others are linked, which desktop address
 * books fetch.
 */
async function photoOf(address: string | null): Promise<Photo | null> {
  const key = address === null ? undefined : keyOf(address)
  if (!key) return null
  // A contact without its photo is still useful.
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
