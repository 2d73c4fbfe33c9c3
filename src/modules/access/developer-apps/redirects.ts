import { invalidField } from '@/core/errors'
import { redirectFault } from '@/modules/access/oauth/redirect-uris'

/** Refuses redirect URIs that cannot be registered: names the first, and says why. */
export function demandRedirects(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const fault = redirectFault(uri)
    if (fault) throw invalidField(`redirectUris.${index}`, fault)
  }
}
