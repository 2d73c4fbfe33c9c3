import { describe, expect, test } from 'bun:test'
import { renderCalendar } from '@/modules/gatherings/feeds/calendar/calendar'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { HOSTILE_TEXTS } from '../../../../support/hostile-texts'
import { seededRandom } from '../../../../support/random'
import { readCalendar } from '../../../../support/rfc5545/calendar'
import { isWhole, sampled } from '../../../../support/sampling'
import { feedEvent, feedHead, venue } from './fixtures'
import { readWithIcalJs } from './ical-js'
import { randomEvent } from './random-events'

/** What is left of a text when everything is taken away that a calendar cannot carry or may set otherwise. */
const bare = (text: string) => text.toWellFormed().replace(/[\p{Cc}\s\u2028\u2029]/gu, '')

/** Both readers find the same events, and every text says what was typed. */
async function expectFaithful(events: FeedEvent[], title = 'Events') {
  const text = await renderCalendar(feedHead({ title, description: title }), events)
  const strict = readCalendar(text)
  const lenient = readWithIcalJs(text)
  expect(bare(strict.values.NAME as string)).toBe(bare(title))
  expect(strict.values['X-WR-CALNAME']).toBe(strict.values.NAME as string)
  expect(bare(strict.values['X-WR-CALDESC'] as string)).toBe(bare(title))
  expect(strict.events).toHaveLength(events.length)
  expect(lenient).toHaveLength(events.length)
  for (const [index, event] of events.entries()) {
    const values = strict.events[index]?.values as Record<string, string>
    const read = lenient[index]
    const isOff = event.status === 'cancelled'
    expect(bare(values.SUMMARY as string)).toBe(bare(`${isOff ? 'Cancelled: ' : ''}${event.title}`))
    expect(read?.conference ?? undefined).toBe(values.CONFERENCE)
    if (isOff) expect(values.CONFERENCE).toBeUndefined()
    expect(bare(values.DESCRIPTION as string)).toEndWith(
      bare(
        `${event.description ?? ''}${event.onlineUrl ? `Online:${event.onlineUrl}` : ''}Group:${event.group.name}${event.url}`,
      ),
    )
    expect(values.CATEGORIES ?? []).toHaveLength(event.tags.filter((tag) => /[^\\]/.test(bare(tag))).length)
    expect(read?.summary).toBe(values.SUMMARY as string)
    expect(read?.description).toBe(values.DESCRIPTION as string)
    expect(read?.location ?? undefined).toBe(values.LOCATION)
    expect(read?.categories ?? []).toEqual((values.CATEGORIES ?? []) as string[])
    expect(read?.url).toBe(values.URL as string)
    expect(read?.start).toBe(Math.floor(event.startTime.getTime() / 1000))
    expect(read?.end).toBe(Math.ceil(event.overAt.getTime() / 1000))
  }
}

describe('Hostile texts', () => {
  test('are enough of them', () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200)
  })

  test('stay in the field that holds them', async () => {
    const fields: ((text: string) => Partial<FeedEvent>)[] = [
      (title) => ({ title }),
      (description) => ({ description }),
      (cancelReason) => ({ status: 'cancelled', cancelReason }),
      (tag) => ({ tags: [tag, 'rust', tag] }),
      (name) => ({ venue: venue({ name }) }),
      (text) => ({
        venue: venue({ address: text, city: `${text} `, state: text, postalCode: text, country: text }),
      }),
      (onlineUrl) => ({ onlineUrl: onlineUrl || null }),
      (timezone) => ({ timezone }),
      (text) => ({ url: `https://moot.example/${text}` }),
      (text) => ({ group: { name: text, urlname: text } }),
    ]
    const events = fields.flatMap((field) => HOSTILE_TEXTS.map((text) => feedEvent(field(text))))
    await expectFaithful([...sampled(events, 600)])
  })

  test('stay in the name of a calendar', async () => {
    for (const text of sampled(HOSTILE_TEXTS, 60)) if (bare(text)) await expectFaithful([feedEvent()], text)
  })

  test('stay in its addresses', async () => {
    for (const text of sampled(HOSTILE_TEXTS, 60)) {
      const ics = `https://moot.example/feeds/events.ics?tag=${text}`
      const head = feedHead({ pageUrl: ics, addresses: { ...feedHead().addresses, ics } })
      const { values } = readCalendar(await renderCalendar(head, []))
      expect(values.SOURCE).toBe(values.URL as string)
      expect(values.SOURCE).toStartWith('https://moot.example/feeds/events.ics?tag=')
    }
  })
})

test('random events are read as they were written', async () => {
  const random = seededRandom()
  for (let feed = 0; feed < (isWhole ? 20 : 1); feed += 1)
    await expectFaithful(Array.from({ length: 500 }, () => randomEvent(random)))
})
