import type { Visit } from '@/http/visit'
import type { Words } from '@/words/words'
import { type Html, html } from './html'

/** The part of the site that the navigation marks. */
export type Section = 'home' | 'events' | 'groups' | 'people' | 'badges' | 'leaderboard' | 'account'

/** The frame around every page. */
export type Surroundings = {
  head: () => Html
  navigation: (words: Words, section: Section | undefined) => Html
  /** Preloads the signed-in person for their corner; undefined if cached. */
  preloadPerson: (userId: string) => Promise<void>
  account: (visit: Visit, words: Words) => Html
  /** The saved time zone of the signed-in person. */
  zone: (visit: Visit) => string | null
  /** The corner of visitors. */
  stranger: (words: Words) => Html
  /** `path` is where a change of language returns to; without one it is not offered. */
  foot: (words: Words, path: string | undefined) => Html
  /** The navigation of settings. */
  settings: (words: Words, here: keyof Words['settings']['pages']) => Html
}

const NOTHING = html``

let surroundings: Surroundings = {
  head: () => NOTHING,
  navigation: () => NOTHING,
  preloadPerson: async () => {},
  account: () => NOTHING,
  zone: () => null,
  stranger: () => NOTHING,
  foot: () => NOTHING,
  settings: () => NOTHING,
}

/** Injected by `app.ts`, because this layer knows no paths of areas. */
export const useSurroundings = (own: Surroundings) => {
  surroundings = own
}

export const around = (): Surroundings => surroundings
