/** Programs that fetch an address to show what is behind it, and search engines. */
const LOOKING_AHEAD =
  /bot\b|bot\/|crawl|spider|slurp|preview|prerender|facebookexternalhit|facebookcatalog|whatsapp|skypeuri|embedly|iframely|vkshare|quora link|outbrain|flipboard|mastodon|pleroma|akkoma|lighthouse|headlesschrome|feedfetcher|mediapartners|bingpreview|google-inspectiontool|google-read-aloud|snapchat|yahoo! site|w3c_validator/i

const OWN_OR_TYPED = new Set([null, 'none', 'same-origin'])
const DOCUMENTS = new Set([null, 'document'])

/**
 * Whether somebody is looking at the pass, as a phone does that was held to a tag or a symbol. Reading ahead, a preview in
 * a chat, a picture or a frame in a page is no tap, and neither is a link on another site: with it anyone could make others
 * meet them.
 */
export function isTap({ method, headers }: Request): boolean {
  if (method !== 'GET') return false
  if (!DOCUMENTS.has(headers.get('sec-fetch-dest'))) return false
  if (!OWN_OR_TYPED.has(headers.get('sec-fetch-site'))) return false
  if (headers.has('sec-purpose') || headers.has('purpose')) return false
  if (headers.has('x-purpose') || headers.has('x-moz')) return false
  return !LOOKING_AHEAD.test(headers.get('user-agent') ?? '')
}
