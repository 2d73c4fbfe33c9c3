import { remembered } from '@/core/memo'
import { queryOf } from '@/http/visit'
import { AGAIN } from '../card/notes'

/** Link previews and crawlers. */
const LOOKING_AHEAD =
  /bot\b|bot\/|crawl|spider|slurp|preview|prerender|facebookexternalhit|facebookcatalog|whatsapp|skypeuri|embedly|iframely|vkshare|quora link|outbrain|flipboard|mastodon|pleroma|akkoma|lighthouse|headlesschrome|feedfetcher|mediapartners|bingpreview|google-inspectiontool|google-read-aloud|snapchat|yahoo! site|w3c_validator/i

const DOCUMENTS = new Set([null, 'document'])

/**
 * Whether a person opened the pass by tag, symbol or typing. Prefetches, chat previews, images and frames are no taps. Neither are
 * links: anyone could use one to make others connect, and a redirect after sign-in or a follow was not meant as a tap.
 */
export function isTap(request: Request): boolean {
  const { method, headers } = request
  if (method !== 'GET') return false
  if (!DOCUMENTS.has(headers.get('sec-fetch-dest'))) return false
  if (!isOpened(headers.get('sec-fetch-site'), request)) return false
  // Browsers without Sec-Fetch-Site, and all of them without https, reveal links only by these headers.
  if (headers.has('referer') || headers.has('origin')) return false
  if (headers.has('sec-purpose') || headers.has('purpose')) return false
  if (headers.has('x-purpose') || headers.has('x-moz')) return false
  return !isLookingAhead(headers.get('user-agent') ?? '')
}

/** Few user agents are in use, and the regular expression costs as much as all checks above. */
const isLookingAhead = remembered((agent) => LOOKING_AHEAD.test(agent))

/** Opened directly, or retried by the rate limit page. */
const isOpened = (site: string | null, request: Request): boolean =>
  site === null || site === 'none' || (site === 'same-origin' && queryOf(request.url) === AGAIN)
