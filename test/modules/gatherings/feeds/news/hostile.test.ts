import { test } from 'bun:test'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { HOSTILE_ADDRESSES, HOSTILE_PIECES, HOSTILE_TEXTS } from '../../../../support/hostile-texts'
import { type Random, seededRandom } from '../../../../support/random'
import { isWhole, sampled } from '../../../../support/sampling'
import { inEachField, VENUE } from './hostile-events'
import { HEAD, sample } from './samples'
import { mustBeSound } from './sound'

test('hostile texts in every field break out of none', async () => {
  for (const text of sampled(HOSTILE_TEXTS, 60)) {
    const head = { ...HEAD, title: text, description: text }
    try {
      await mustBeSound(head, inEachField(text))
    } catch (error) {
      throw new Error(`with ${JSON.stringify(text.slice(0, 200))}: ${(error as Error).message}`)
    }
  }
})

const RECORDS = isWhole ? 10_000 : 400
const AT_ONCE = 100

/** A few pieces, and now and then any code unit at all. */
function randomText({ random, pick, chance }: Random): string {
  const pieces = Array.from({ length: Math.floor(random() * 5) }, () =>
    chance(0.2) ? String.fromCharCode(Math.floor(random() * 0x1_0000)) : pick(HOSTILE_PIECES),
  )
  return pieces.join(chance(0.5) ? ' ' : '')
}

function randomEvent(n: number, chance: Random): FeedEvent {
  const text = () => randomText(chance)
  const orNull = () => (chance.chance(0.3) ? null : text())
  const at = (from: number) => new Date(from + Math.floor(chance.random() * 1e10))
  const address = () =>
    chance.chance(0.5) ? chance.pick(HOSTILE_ADDRESSES)! : `https://ok.example/${text()}.png`
  const startTime = at(Date.UTC(2026, 0, 1))
  return sample(n, {
    title: text(),
    description: orNull(),
    startTime,
    endTime: chance.chance(0.5) ? null : at(startTime.getTime()),
    timezone: chance.pick([
      'Europe/Lisbon',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'UTC',
      text(),
    ])!,
    eventType: chance.pick(['physical', 'online', 'hybrid'] as const)!,
    status: chance.pick(['published', 'cancelled'] as const)!,
    cancelReason: orNull(),
    tags: Array.from({ length: Math.floor(chance.random() * 4) }, text),
    photoUrl: chance.chance(0.3) ? null : address(),
    venue: chance.chance(0.3) ? null : { ...VENUE, name: text(), address: orNull(), city: orNull() },
    onlineUrl: chance.chance(0.7) ? null : address(),
    group: { name: text(), urlname: 'rust-lisbon' },
    answer: chance.pick([null, 'confirmed', 'waitlisted'] as const)!,
  })
}

test(`${RECORDS} random events break out of none`, async () => {
  const chance = seededRandom()
  for (let n = 0; n < RECORDS; n += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, i) => randomEvent(n + i, chance))
    await mustBeSound({ ...HEAD, title: randomText(chance), description: randomText(chance) }, events)
  }
})
