import { type AnyElysia, Elysia } from 'elysia'
import { config } from '@/config/config'
import { plain } from '@/http/protocol'
import { DOCUMENT, PERSONAL } from '@/http/route-traits'
import { PAGER_QUERY } from '@/site/parts/list'
import { forms } from '@/web/form'
import { WELCOME } from '@/web/login'
import { openPage } from '@/web/open-page'
import { page } from '@/web/page'
import { showAbout, showPrivacy, showTerms } from './about/texts'
import { adminPages } from './admin/routes'
import { developerPages } from './developer/routes'
import { sendCalendar } from './events/event/calendar-links'
import { ownPart, seatDeeds, showEvent } from './events/event/page'
import { LIST_QUERY } from './events/list/asked'
import { showEvents } from './events/list/page'
import { foundRoutes } from './found/routes'
import { chooseLanguage, PATH } from './frame/language'
import { groupsPages } from './groups/routes'
import { showHome } from './home/home'
import { ownHome } from './home/own'
import { mailboxJson, showMail, showMailbox } from './mailbox/page'
import { managePages } from './manage/routes'
import { peoplePages } from './people/routes'
import { badgeForPerson, showBadge } from './recognition/badge'
import { showBadges } from './recognition/badges'
import { showClaim, takeBadge } from './recognition/claim'
import { BOARD_QUERY, boardForPerson, showLeaderboard } from './recognition/leaderboard'
import { settingsPages } from './settings/routes'
import { showWelcome } from './welcome/page'
import { takeWelcome } from './welcome/take'

const recognitionPages = new Elysia()
  .get('/badges', ...openPage(showBadges, { query: PAGER_QUERY }))
  .get('/badges/:slug', ...openPage(showBadge, { query: PAGER_QUERY, personal: badgeForPerson }))
  .get('/leaderboard', ...openPage(showLeaderboard, { query: BOARD_QUERY, personal: boardForPerson }))
  .get('/claim/:code', ...page(showClaim))
  .post('/claim/:code', ...takeBadge)

/** The demo's mail stays on its machine; production does not have these paths. */
const mailboxPages = new Elysia()
if (config.mode !== 'production')
  mailboxPages
    .get('/dev/mailbox', ...page(showMailbox, { traits: DOCUMENT }))
    .get('/dev/mailbox.json', ...plain(mailboxJson))
    .get('/dev/mailbox/:id', ...plain(showMail))

const eventsPages = new Elysia()
  .get('/events', ...openPage(showEvents, { query: LIST_QUERY }))
  .get(
    '/events/:eventId',
    ...openPage(showEvent, { personal: ownPart, keepsPersonal: true, finishes: seatDeeds }),
  )
  .post('/events/:eventId', ...forms(seatDeeds))
  .get('/events/:eventId/calendar.ics', ...plain(sendCalendar, PERSONAL))

/** Shown once, after the first sign-in. */
const welcomePages = new Elysia().get(WELCOME, ...page(showWelcome)).post(WELCOME, ...page(takeWelcome))

const homePages = new Elysia().get('/', ...openPage(showHome, { personal: ownHome }))

const aboutPages = new Elysia()
  .get('/about', ...openPage(showAbout))
  .get('/terms', ...openPage(showTerms))
  .get('/privacy', ...openPage(showPrivacy))

/** Pages across several areas. Those of one area are in its folder. */
export const siteRoutes: AnyElysia = new Elysia()
  .use(homePages)
  .use(eventsPages)
  .use(groupsPages)
  .use(peoplePages)
  .use(recognitionPages)
  .use(welcomePages)
  .use(settingsPages)
  .use(managePages)
  .use(developerPages)
  .use(adminPages)
  .use(aboutPages)
  .use(foundRoutes)
  .use(mailboxPages)
  // Needs no sign-in.
  .post(PATH, ...page(chooseLanguage, { traits: DOCUMENT }))
