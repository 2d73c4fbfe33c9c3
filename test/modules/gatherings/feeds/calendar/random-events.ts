import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { HOSTILE_PIECES } from '../../../../support/hostile-texts'
import type { Random } from '../../../../support/random'
import { feedEvent, venue } from './fixtures'

const ZONES = Intl.supportedValuesOf('timeZone')
const YEAR_MS = 365.25 * 86_400_000

/** An event whose every field is chance: texts of hostile pieces, words and any UTF-16 unit, times from 1900 to 9998. */
export function randomEvent(random: Random): FeedEvent {
  const { pick, chance } = random
  const whole = (most: number) => Math.floor(random.random() * most)
  const unit = () =>
    String.fromCharCode(chance(0.3) ? whole(0x30) : chance(0.3) ? 0xd800 + whole(0x800) : whole(0x10000))
  const piece = () =>
    chance(0.4) ? (pick(HOSTILE_PIECES) as string) : chance(0.5) ? unit() : 'Rust, träume; '
  const text = (most: number) => Array.from({ length: whole(most) }, piece).join('')
  const maybe = <T>(value: () => T) => (chance(0.5) ? value() : null)
  const startTime = new Date(
    chance(0.9)
      ? Date.UTC(2026, 0, 1) + whole(10 * YEAR_MS)
      : Date.UTC(1900, 0, 1) + Math.floor(random.random() * 8098 * YEAR_MS),
  )
  const endTime = maybe(() => new Date(startTime.getTime() + 1 + whole(4 * 86_400_000)))
  return feedEvent({
    title: text(20),
    description: maybe(() => text(60)),
    startTime,
    endTime,
    timezone: chance(0.95) ? (pick(ZONES) as string) : text(3),
    eventType: pick(['physical', 'online', 'hybrid'] as const) as 'physical',
    status: chance(0.8) ? 'published' : 'cancelled',
    cancelReason: maybe(() => text(10)),
    tags: Array.from({ length: whole(4) }, () => text(5)),
    venue: maybe(() =>
      venue({
        name: text(8),
        address: maybe(() => text(8)),
        city: maybe(() => text(3)),
        latitude: maybe(() => random.random() * 180 - 90),
        longitude: maybe(() => random.random() * 360 - 180),
      }),
    ),
    onlineUrl: maybe(() => `https://meet.example/${text(4)}`),
    url: `https://moot.example/events/${chance(0.1) ? text(4) : ''}`,
    sequence: whole(100),
  })
}
