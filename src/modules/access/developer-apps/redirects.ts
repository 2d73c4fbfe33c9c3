import { invalidField } from '@/core/errors'
import { redirectFault } from '@/modules/access/oauth/redirect-uris'

/** Names the first redirect URI that cannot be registered, with the reason. */
export function demandRedirects(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const fault = redirectFault(uri)
    if (fault) throw invalidField(`redirectUris.${index}`, fault)
  }
}
