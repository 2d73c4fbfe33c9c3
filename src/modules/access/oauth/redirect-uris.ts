/** Rules for redirect URIs. A URI is stored as given and compared as a string, so ambiguous ones are refused. */

const MAX_LENGTH = 2048

/** Native applications listen on a random port, so the port of these is ignored. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/

/** The characters of RFC 3986, with valid percent-encoding. */
const WRITTEN = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/

/** Schemes that a browser or operating system handles cannot belong to an application. */
const TAKEN = new Set(
  `about android-app blob callto chrome chrome-extension chrome-untrusted cid content data devtools dict edge
  facetime feed file filesystem ftp ftps geo git gopher hcp help imap intent ipp ipps irc ircs jar javascript ldap ldaps
  livescript magnet mailto maps market mid mms mocha moz-extension news nfs nntp opera phar php pop pop3 rdp res resource
  rlogin rtsp safari-web-extension search search-ms sftp shell sip sips smb sms smsto ssh svn tel telnet tftp tn3270 urn
  vbs vbscript view-source vnc webcal ws wss wyciwyg xmpp`.split(/\s+/),
)

/** Families of such schemes: Microsoft, Apple, sites and extensions. */
const TAKEN_FAMILY = /^(?:ms-|x-apple|itms|web\+|ext\+)/

/** Why an address cannot be registered; undefined if it can. */
export function redirectFault(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`
  if (!WRITTEN.test(uri))
    return 'must hold no spaces, backslashes or other characters that addresses do not have'
  if (uri.includes('#')) return 'must have no fragment'
  if (uri.includes('*')) return 'must have no wildcard'
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):\//.exec(uri)?.[1]
  const url = URL.parse(uri)
  if (!scheme || !url) return 'must be a whole address such as https://example.org/callback'
  if (/^[^:]+:\/\/[^/?]*@/.test(uri) || url.username !== '' || url.password !== '')
    return 'must hold no name or password'
  return schemeFault(scheme.toLowerCase(), uri, url)
}

/** Whether a redirect URI is registered: an exact comparison, except for the port of a loopback address. */
export const matchesRedirect = (registered: readonly string[], given: string): boolean =>
  registered.includes(given) ||
  registered.some((uri) => portless(uri) !== undefined && portless(uri) === portless(given))

function schemeFault(scheme: string, uri: string, url: URL): string | undefined {
  if (scheme === 'https')
    return /^https:\/\/[^/?]/i.test(uri) && url.hostname !== '' ? undefined : 'must name a host'
  if (scheme === 'http')
    return portless(uri) === undefined ? 'must be https, or http on 127.0.0.1, [::1] or localhost' : undefined
  if (TAKEN.has(scheme) || TAKEN_FAMILY.test(scheme))
    return 'must not use a scheme that browsers or systems answer themselves'
  // A reversed domain (RFC 8252, 7.1): any app on a device can claim a plain word.
  if (!scheme.includes('.')) return 'must use a scheme with a dot, such as org.example.app:/callback'
  return undefined
}

export const isLoopback = (uri: string): boolean => portless(uri) !== undefined

/** A loopback address without its port; undefined for any other address. */
function portless(uri: string): string | undefined {
  const [, host, port, rest] = LOOPBACK.exec(uri) ?? []
  return host === undefined || Number(port ?? 0) > 65_535 ? undefined : `${host}${rest}`
}
