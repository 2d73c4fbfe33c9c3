import { THEME_COLORS } from '@/config/accent'
import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { isId } from '@/core/ids'
import { respondTagged, type Tagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { groupToInvalidate } from '@/modules/gatherings/events/invalidation'
import { placeOf } from '@/modules/gatherings/events/pieces'
import type { EventWithGroup } from '@/modules/gatherings/events/queries'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { patternOf } from '@/modules/gatherings/widgets/cover'
import { cache } from '@/outbox/cache'
import { accentByDay } from '@/web/accent'
import { whenOf } from '@/web/when'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'
import { drawPreview } from './draw'
import type { PreviewOrder } from './order'

/** A picture takes about 30 KB, and preview services cache it. */
const PICTURES_MAX = 60
const HOUR_MS = 3_600_000

type Picture = Tagged & { groupId: string }

const pictures = cache<Picture>({
  max: PICTURES_MAX,
  maxAgeMs: HOUR_MS,
  load: async (eventId) => {
    const found = await visibleEvent(null, eventId)
    return { ...tagged(await drawPreview(orderOf(found))), groupId: found.group.id }
  },
  drops: (message, drop) => {
    const changed = groupToInvalidate(message)
    if (changed !== undefined) drop.where(({ groupId }) => groupId === changed)
  },
})

/** The requesting service does not know its readers' language. */
const WORDS = wordsIn(LANGUAGES[0])

const HEADERS = { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' }

/** The preview of an event, with public data only. */
export async function sendPreview(visit: Visit, { eventId = '' }: Record<string, string>): Promise<Response> {
  if (!isId(eventId)) throw notFound('Event')
  return respondTagged(visit, await pictures.get(eventId.toLowerCase()), HEADERS)
}

export function orderOf({ event, group }: EventWithGroup): PreviewOrder {
  const { month, date, starts, ends, until } = whenOf(event, 'short', WORDS)
  return {
    site: config.siteName,
    title: event.title,
    when:
      event.status === 'cancelled' ? WORDS.frame.cancelled : `${starts}${ends === null ? '' : until + ends}`,
    where: [placeOf(event, WORDS), group.name].filter(Boolean).join(' · '),
    month,
    day: date,
    accent: accentOf(group.themeColor),
    pattern: patternOf(event.id).text,
  }
}

function accentOf(group: string | null): string {
  const theme = THEME_COLORS.find((name) => name === group)
  return accentByDay(theme ? { theme } : (config.site.accent ?? { theme: 'forest' }))
}
