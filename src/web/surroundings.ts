import type { Visit } from '@/http/visit'
import type { Words } from '@/words/words'
import { type Html, html } from './html'

/** The part of the site that a page belongs to, which the navigation marks. */
export type Section = 'home' | 'events' | 'groups' | 'people' | 'badges' | 'leaderboard' | 'account'

/** What stands around the content of every page. */
export type Surroundings = {
  /** For the head of every page. */
  head: () => Html
  navigation: (words: Words, section: Section | undefined) => Html
  /** Reads who is signed in, for their corner; undefined where that is known already. */
  arrival: (userId: string) => Promise<unknown> | undefined
  /** The corner of whoever is signed in. */
  account: (visit: Visit, words: Words) => Html
  /** The time zone that the signed-in person saved. */
  zone: (visit: Visit) => string | null
  /** The same corner for strangers. */
  stranger: (words: Words) => Html
  /** `path` is where a choice of language leads back to; without one there is no choice. */
  foot: (words: Words, path: string | undefined) => Html
  /** The pages of settings, of which one is being read. */
  settings: (words: Words, here: keyof Words['settings']['pages']) => Html
}

const NOTHING = html``

let surroundings: Surroundings = {
  head: () => NOTHING,
  navigation: () => NOTHING,
  arrival: () => undefined,
  account: () => NOTHING,
  zone: () => null,
  stranger: () => NOTHING,
  foot: () => NOTHING,
  settings: () => NOTHING,
}

/** Learns what stands around pages. Paths of areas are none of the plumbing's business, so `app.ts` hands it down. */
export const useSurroundings = (own: Surroundings) => {
  surroundings = own
}

export const around = (): Surroundings => surroundings
