import type { Language } from '../language'
import { about } from './about'
import { access, welcome } from './access'
import { accountMails } from './account-mails'
import { admin } from './admin'
import { developer } from './developer'
import { door } from './door'
import { errors } from './errors'
import { eventMails } from './event-mails'
import { events } from './events'
import { frame } from './frame'
import { groups } from './groups'
import { home } from './home'
import { mail } from './mail'
import { manage } from './manage'
import { newsMails } from './news-mails'
import { passes } from './passes'
import { people } from './people'
import { privacy } from './privacy'
import { recognition } from './recognition'
import { missing, onPages } from './refusals'
import { settings } from './settings'
import { when } from './when'

export const en = {
  language: 'en' as Language,
  frame,
  errors,
  refusals: onPages,
  missing,
  when,
  home,
  events,
  groups,
  people,
  recognition,
  settings,
  about,
  access,
  welcome,
  passes,
  door,
  manage,
  developer,
  admin,
  mail,
  accountMails,
  eventMails,
  newsMails,
  privacy,
}

/** All texts of the pages in one language. The English texts define the type, so a missing translation does not compile. */
export type Words = typeof en
