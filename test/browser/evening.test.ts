import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { pointsIn, written } from '@/site/parts/medal'
import type { Language } from '@/words/language'
import { type Words, wordsIn } from '@/words/words'
import { makeCode } from '../modules/gatherings/checkins/fixtures'
import { makeQrPass } from '../modules/passes/fixtures'
import { give, makeLink } from '../modules/recognition/claims/fixtures'
import { call } from '../support/api'
import {
  contextFor,
  faultsOf,
  focusOf,
  hasChromium,
  LOOKS,
  type Look,
  openChromium,
  picture,
  readMail,
  startForBrowser,
} from '../support/browser'
import { makeBadge, makeCaller, makeEvent, makeGroup, makeSession, makeUser } from '../support/make'
import type { ServerProcess } from '../support/processes'

/** A phone held to a symbol says what it is; a browser without a window would count as a program that looks ahead. */
const userAgent =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'

type Way = { name: string; look: Look; language: Language; javaScriptEnabled: boolean }

const [PHONE, PHONE_BY_NIGHT, DESK, DESK_BY_NIGHT] = LOOKS as [Look, Look, Look, Look]

/** Each walk has its size, its language and script or none. */
const WAYS: Way[] = [
  { name: 'on a phone with script', look: PHONE, language: 'en', javaScriptEnabled: true },
  { name: 'on a phone without script', look: PHONE_BY_NIGHT, language: 'de', javaScriptEnabled: false },
  { name: 'at a desk with script', look: DESK_BY_NIGHT, language: 'de', javaScriptEnabled: true },
  { name: 'at a desk without script', look: DESK, language: 'en', javaScriptEnabled: false },
]

/** Runs in the page: where its links lead on this server. */
const LINKS = `[...document.links]
  .filter((link) => link.origin === location.origin && !link.getAttribute('href').startsWith('#'))
  .map(({ pathname, search }) => pathname + search)`

describe.skipIf(!hasChromium)('an evening', () => {
  let browser: Browser
  let server: ServerProcess
  beforeAll(async () => {
    browser = await openChromium()
    server = await startForBrowser({ DATABASE_URL: process.env.DATABASE_URL as string })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop('SIGKILL')
  })

  /** What others do meanwhile. */
  async function seated(eventId: string) {
    const { token } = await makeCaller(['write:events'])
    const rsvp = (method: string) => call(method, `/v1/events/${eventId}/rsvp`, { token, base: server.url })
    expect((await rsvp('POST')).status).toBeLessThan(300)
    return { giveUp: async () => expect((await rsvp('DELETE')).status).toBeLessThan(300) }
  }

  /** A full event with somebody in line, a person with a pass, and two badges with which one passes the first on the board. */
  async function makeEvening(turn: number) {
    const group = await makeGroup({ name: 'Repair café Nordstadt' })
    const title = `Lanterns ${randomHex(3)}: an evening of Donaudampfschifffahrt`
    const event = await makeEvent(group.id, {
      title,
      maxAttendees: 2,
      venueName: 'Alte Mühle',
      description: 'Bring a lamp.',
    })
    const [first, second] = [await seated(event.id), await seated(event.id)]
    await seated(event.id)
    const ada = await makeUser({ name: 'Ada Okafor', bio: 'I fix bicycles on Saturdays.' })
    // Whoever walked before stays on the board, below all of this turn.
    const scale = 3 ** turn
    await give(await makeBadge({ points: 30 * scale }), ada.id)
    const badges = [
      await makeBadge({ name: 'Lamp lighter', points: 20 * scale }),
      await makeBadge({ name: 'Keeper of the wick', points: 20 * scale }),
    ] as const
    const links = [await makeLink(badges[0].id), await makeLink(badges[1].id)] as const
    return {
      ...{ event, title, first, second, ada, badges, links, scale },
      pass: await makeQrPass({ ownerId: ada.id }),
      door: await makeCode(event.id),
    }
  }

  /** A newcomer's browser, which writes down what no page may do. */
  async function open({ name, look, language, javaScriptEnabled }: Way) {
    // A picture taken while one page turns into the next would break that off, and Chromium complains of it.
    const still = { reducedMotion: 'reduce' as const }
    const more = { locale: language, javaScriptEnabled, userAgent, ...still }
    const context = await contextFor(browser, look, more)
    const page = await context.newPage()
    if (look.isMobile) await page.setViewportSize({ width: 360, height: 740 })
    const complaints: string[] = []
    const links = new Set<string>()
    page.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(server.url))
        complaints.push(`asked ${request.url()}`)
    })
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    /** Stands before a page: its one heading is this, and nothing is wrong with it. */
    const reads = async (heading: string, shot: string) => {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await picture(page, `evening-${shot}-${name.replaceAll(' ', '-')}`)
      expect([shot, await faultsOf(page), complaints.splice(0)]).toEqual([shot, [], []])
      expect([shot, await page.evaluate('document.documentElement.lang')]).toEqual([shot, language])
      // There the newcomer still has the username that was drawn for them, and gets another one.
      if (shot !== 'welcome') for (const link of await page.evaluate<string[]>(LINKS)) links.add(link)
    }
    return { context, page, reads, links }
  }

  const says = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
  const stands = (page: Page, text: string) =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor()

  for (const [turn, way] of WAYS.entries())
    test(`of a newcomer, ${way.name}`, async () => {
      const words = wordsIn(way.language)
      const evening = await makeEvening(turn)
      const { title, ada, badges, links, scale } = evening
      const { context, page, reads, links: seen } = await open(way)
      const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click()
      const follow = (label: string) => page.getByRole('link', { name: label, exact: true }).first().click()

      await page.goto(server.url)
      await reads(config.siteName, 'front')
      await follow(words.home.join)
      await reads(words.access.signIn.to(config.siteName), 'login')
      const name = await signIn(page, reads, words)

      await follow(words.frame.leaderboard)
      await reads(words.recognition.board.title, 'board-before')
      await says(page, words.recognition.board.notOnBoard)

      await follow(words.frame.events)
      await reads(words.events.list.title, 'events')
      await page.getByRole('searchbox', { name: words.events.list.search }).fill(title.slice(0, 15))
      await press(words.frame.searchFor)
      await page.getByRole('link', { name: title }).waitFor()
      await reads(words.events.list.title, 'found')
      await follow(title)
      await reads(title, 'full')
      await says(page, words.events.full)
      await says(page, words.events.waiting(1))
      await press(words.events.seat.wait)
      await stands(page, words.events.seat.inLine(2))
      await reads(title, 'second-in-line')
      await evening.first.giveUp()
      await page.reload()
      await stands(page, words.events.seat.inLine(1))
      await evening.second.giveUp()
      await page.reload()
      await stands(page, words.events.seat.yours)
      await reads(title, 'seat')

      await page.goto(`${server.url}/checkin/${evening.door.code}`)
      await reads(title, 'door')
      await press(words.door.button)
      await reads(words.door.in, 'in')

      await page.goto(`${server.url}/pass/${evening.pass}`)
      await says(page, words.passes.connectedNow)
      await reads(ada.name, 'pass')
      await page.goto(`${server.url}/u/${ada.username}/connections`)
      await page.getByRole('main').getByRole('link', { name }).waitFor()
      await reads(words.people.connectionsOf(ada.name), 'met')

      for (const [i, place] of [2, 1].entries()) {
        await page.goto(`${server.url}/claim/${links[i]?.code}`)
        await reads(badges[i]?.name as string, `claim-${i}`)
        await press(words.recognition.claim.button)
        await stands(page, words.recognition.claim.yours)
        await reads(badges[i]?.name as string, `badge-${i}`)
        await follow(words.frame.leaderboard)
        const points = pointsIn(20 * scale * (i + 1), words)
        await says(page, words.recognition.board.yourPlace(written(place, words), points))
        await reads(words.recognition.board.title, `board-${i}`)
        const row = page.getByRole('row').nth(place)
        expect(await row.getByRole('rowheader').textContent()).toContain(name)
      }

      await page.goto(server.url)
      await reads(words.home.hello(name), 'home')
      await says(page, words.home.place('1'))
      await page.getByRole('main').getByText(words.home.going).first().waitFor()
      expect(await leadingNowhere(page, seen)).toEqual([])
      await context.close()
    }, 120_000)

  /** By mail, for the first time; then the newcomer says who they are. */
  async function signIn(
    page: Page,
    reads: (heading: string, shot: string) => Promise<void>,
    words: Words,
    leadsTo = `${server.url}/`,
  ) {
    const email = `newcomer-${randomHex(4)}@folk.example`
    await page.getByLabel(words.access.signIn.email).fill(email)
    await page.getByRole('button', { name: words.access.signIn.sendMail }).click()
    await reads(words.access.signIn.checkMail, 'check-mail')
    await page.getByLabel(words.access.signIn.code).fill((await readMail(server, email)).code)
    await page.getByRole('button', { name: words.access.signIn.button, exact: true }).click()
    await reads(words.welcome.title(config.siteName), 'welcome')
    const name = `Bo Lindqvist-${randomHex(3)}`
    await page.getByLabel(words.welcome.name, { exact: true }).fill(name)
    await page.getByRole('button', { name: words.welcome.button }).click()
    await page.waitForURL(leadsTo)
    if (leadsTo === `${server.url}/`) await reads(words.home.hello(name), 'hello')
    return name
  }

  for (const way of [WAYS[0], WAYS[1]] as Way[])
    test(`begins with "Count me in", and ends with a seat: ${way.name}`, async () => {
      const words = wordsIn(way.language)
      const { id, title } = await makeEvent((await makeGroup()).id, { maxAttendees: 5 })
      const { context, page, reads } = await open(way)
      await page.goto(`${server.url}/events/${id}`)
      await page.getByRole('button', { name: words.events.seat.take, exact: true }).click()
      await signIn(page, reads, words, `${server.url}/events/${id}#seat`)
      await stands(page, words.events.seat.yours)
      await reads(title, 'counted-in')
      await context.close()
    }, 60_000)

  /** Links of the pages that somebody saw, behind which they find nothing. */
  async function leadingNowhere(page: Page, links: Iterable<string>) {
    const dead: string[] = []
    for (const link of links) {
      const answer = await page.context().request.get(server.url + link)
      if (!answer.ok()) dead.push(`${link} ${answer.status()}`)
    }
    return dead
  }

  test('by keyboard alone: an RSVP is found, made and cancelled, with visible focus', async () => {
    const { seat } = wordsIn('en').events
    const { title } = await makeEvent((await makeGroup()).id, { maxAttendees: 5 })
    const { context, page, reads } = await open({ ...(WAYS[2] as Way), language: 'en' })
    const value = await makeSession((await makeUser()).id)
    await context.addCookies([{ name: 'session', value, url: server.url, httpOnly: true, sameSite: 'Lax' }])
    /** Goes on from stop to stop until this one. */
    const goTo = async (name: string) => {
      const stops: string[] = []
      for (let stop = await focusOf(page); stop.name !== name; stop = await focusOf(page)) {
        if (stops.length > 80) throw new Error(`${name} was not among ${stops.join(', ')}`)
        await page.keyboard.press('Tab')
        const now = await focusOf(page)
        expect([now.name, now.isSeen]).toEqual([now.name, true])
        stops.push(now.name)
      }
    }
    const enter = async (name: string) => {
      await goTo(name)
      await page.keyboard.press('Enter')
    }
    await page.goto(`${server.url}/events`)
    await goTo('search')
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=/)
    await enter(title)
    await reads(title, 'keyboard-event')
    await enter(seat.take)
    await stands(page, seat.yours)
    await enter(seat.cannotCome)
    await enter(seat.giveUp)
    await says(page, seat.gaveUp)
    await reads(title, 'keyboard-given-up')
    await context.close()
  }, 60_000)
})
