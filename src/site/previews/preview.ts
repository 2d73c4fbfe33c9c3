import { join } from 'node:path'
import { THEME_COLORS } from '@/config/accent'
import { config } from '@/config/config'
import { notFound, unavailable } from '@/core/errors'
import { gate } from '@/core/gate'
import { isId } from '@/core/ids'
import { log } from '@/core/log'
import { respondTagged, type Tagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { type Ended, warmChild } from '@/lifecycle/warm-child'
import { groupToInvalidate } from '@/modules/gatherings/events/cache'
import { placeOf } from '@/modules/gatherings/events/pieces'
import type { EventWithGroup } from '@/modules/gatherings/events/queries'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { patternOf } from '@/modules/gatherings/widgets/cover'
import { cache } from '@/outbox/cache'
import { accentByDay } from '@/web/accent'
import { whenOf } from '@/web/when'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'
import type { PreviewAnswer, PreviewOrder } from './order'

const LIMITS = { memoryMb: 512, cpuSeconds: 10, clockSeconds: 10 }

const painter = warmChild<PreviewOrder, PreviewAnswer>(join(import.meta.dir, 'child/main.ts'))
/** Link preview services request a few pictures at a time. */
const oneAtATime = gate({ atOnce: 1, waitingMax: 30, patienceMs: 8000 })

const drawPreview = (order: PreviewOrder): Promise<Uint8Array> =>
  oneAtATime(async () => {
    let answer = await painter.ask(order, LIMITS)
    // Something else may have killed the child, so one retry.
    if (isCrash(answer)) answer = await painter.ask(order, LIMITS)
    if ('png' in answer) return Buffer.from(answer.png, 'base64')
    log.warn('a preview could not be drawn', { reason: 'failed' in answer ? answer.failed : answer.ended })
    throw unavailable()
  })

const isCrash = (answer: PreviewAnswer | Ended) =>
  'ended' in answer && (answer.ended === 'crash' || answer.ended === 'killed')

export const { end: endPainter, pid: painterPid, isBusy: isPainting } = painter

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
