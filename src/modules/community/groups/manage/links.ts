import { type TUnsafe, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { invalidField } from '@/core/errors'
import { webUrl } from '@/core/fields'

export type ServiceLinks = Record<string, string>

const LINKS_MAX = 20
const SERVICE = '^[a-z0-9-]{1,40}$'
const isService = new RegExp(SERVICE)
const address = webUrl()

/**
 * The schema only describes; `demandLinks` checks. Pattern properties would silently drop keys that do not match, such as "GitHub".
 */
export const serviceLinks = (): TUnsafe<ServiceLinks> =>
  Type.Unsafe<ServiceLinks>(
    Type.Unknown({
      type: 'object',
      maxProperties: LINKS_MAX,
      propertyNames: { pattern: SERVICE },
      additionalProperties: { type: 'string', format: 'uri', maxLength: 2048 },
      description: 'Addresses by the name of a service.',
    }),
  )

export function demandLinks(links: unknown) {
  if (links !== undefined && !areLinks(links))
    throw invalidField(
      'socialLinks',
      `must be an object of at most ${LINKS_MAX} http or https addresses, each under a name of 1 to 40 lower-case letters, digits or hyphens`,
    )
}

function areLinks(links: unknown): links is ServiceLinks {
  if (typeof links !== 'object' || links === null || Array.isArray(links)) return false
  const entries = Object.entries(links)
  return (
    entries.length <= LINKS_MAX &&
    entries.every(([service, url]) => isService.test(service) && Value.Check(address, url))
  )
}
