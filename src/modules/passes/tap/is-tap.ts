import { remembered } from '@/core/remembered'
import { queryOf } from '@/http/visit'
import { AGAIN } from '../card/notes'

/** Programs that fetch an address to show what is behind it, and search engines. */
const LOOKING_AHEAD =
  /bot\b|bot\/|crawl|spider|slurp|preview|prerender|facebookexternalhit|facebookcatalog|whatsapp|skypeuri|embedly|iframely|vkshare|quora link|outbrain|flipboard|mastodon|pleroma|akkoma|lighthouse|headlesschrome|feedfetcher|mediapartners|bingpreview|google-inspectiontool|google-read-aloud|snapchat|yahoo! site|w3c_validator/i

const DOCUMENTS = new Set([null, 'document'])

/**
 * Whether somebody is looking at the pass, as a phone does that was held to a tag or a symbol. Reading ahead, a preview in
 * a chat, a picture or a frame in a page is no tap, and neither is a link: with it anyone could make others meet them, and
 * whoever comes back here from signing in, or from following, did not ask for it.
 */
export function isTap(request: Request): boolean {
  const { method, headers } = request
  if (method !== 'GET') return false
  if (!DOCUMENTS.has(headers.get('sec-fetch-dest'))) return false
  if (!isOpened(headers.get('sec-fetch-site'), request)) return false
  // Browsers that say nothing of where a request begins, and all of them without https, tell by these of a link.
  if (headers.has('referer') || headers.has('origin')) return false
  if (headers.has('sec-purpose') || headers.has('purpose')) return false
  if (headers.has('x-purpose') || headers.has('x-moz')) return false
  return !isLookingAhead(headers.get('user-agent') ?? '')
}

/** The world has few programs that people use, and reading the name of one takes as long as all of the above. */
const isLookingAhead = remembered((agent) => LOOKING_AHEAD.test(agent))

/** By a reader of tags or symbols, or by hand; once more by the page that said to wait. */
const isOpened = (site: string | null, request: Request): boolean =>
  site === null || site === 'none' || (site === 'same-origin' && queryOf(request.url) === AGAIN)
