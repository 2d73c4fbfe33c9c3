import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { inline } from '@/http/downloads/disposition'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { isInUse, NOT_IN_USE } from '@/modules/passes/passes/in-use'
import { lookUpPass } from '@/modules/passes/passes/look-up'
import { ownerShown } from '@/modules/passes/passes/owner-shown'
import { photoOf } from './photo'
import { vcardOf } from './vcard'

const HEADERS = { 'content-type': 'text/vcard; charset=utf-8', 'cache-control': 'private, no-cache' }

/** `/pass/{id}/contact.vcf`: the owner for an address book. Nobody is connected by it. */
export async function sendContact(visit: Visit, { id = '' }: Record<string, string>): Promise<Response> {
  const known = await lookUpPass(visit, id)
  if (!isInUse(known)) throw NOT_IN_USE
  if (known.owner === null) throw notFound('Contact')
  const { name, username, avatarUrl, socialLinks } = ownerShown(known.owner)
  const profile = username === null ? [] : [`${config.baseUrl}/u/${username}`]
  const text = vcardOf({
    name,
    photo: await photoOf(avatarUrl),
    addresses: [...profile, ...socialLinks],
  })
  // A phone that may show it opens its address book; asked to download, it would only keep a file.
  return respondTagged(visit, tagged(text), HEADERS, {
    'content-disposition': inline(`${name}.vcf`, username ?? 'contact'),
  })
}
