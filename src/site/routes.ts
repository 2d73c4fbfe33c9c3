import { type AnyElysia, Elysia } from 'elysia'
import { DOCUMENT } from '@/http/route-traits'
import { page } from '@/web/page'
import { aboutPages } from './about/routes'
import { adminPages } from './admin/routes'
import { developerPages } from './developer/routes'
import { eventsPages } from './events/routes'
import { foundRoutes } from './found/routes'
import { chooseLanguage, PATH } from './frame/language'
import { groupsPages } from './groups/routes'
import { homePages } from './home/routes'
import { mailboxPages } from './mailbox/routes'
import { managePages } from './manage/routes'
import { peoplePages } from './people/routes'
import { recognitionPages } from './recognition/routes'
import { settingsPages } from './settings/routes'
import { welcomePages } from './welcome/routes'

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
