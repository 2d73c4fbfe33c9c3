import type { Words } from '../en/words'
import type { Language } from '../language'
import { about } from './about'
import { access } from './access'
import { admin } from './admin'
import { developer } from './developer'
import { door } from './door'
import { errors } from './errors'
import { events } from './events'
import { frame } from './frame'
import { groups } from './groups'
import { home } from './home'
import { manage } from './manage'
import { passes } from './passes'
import { people } from './people'
import { recognition } from './recognition'
import { settings } from './settings'
import { when } from './when'

export const de: Words = {
  language: 'de' as Language,
  frame,
  errors,
  when,
  home,
  events,
  groups,
  people,
  recognition,
  settings,
  about,
  access,
  passes,
  door,
  manage,
  developer,
  admin,
}
