import { API_RESOURCE } from '@/core/own-addresses'

/** Properties of a route, declared by its binder; the plumbing knows no paths. */
export type Traits = {
  /** Identifies the caller. */
  identifies: boolean
  /** The audience that a token needs here. */
  resource: string
  showsBudget: boolean
  /** Is charged to the budget. */
  isCounted: boolean
  /** Strangers only get the 401 that begins OAuth: charged to its own budget, or a used-up hour would block signing in. */
  onlyChallenges: boolean
  /** Any origin may read it. */
  isOpen: boolean
  /** Echoes the agent's session id with any answer. */
  namesSession: boolean
  /** A page, feed or widget: actions with `openOnSite` serve visitors here. */
  isSite: boolean
  /** Opened in browsers: navigation gets errors as a page. Elsewhere errors are JSON. */
  forPeople: boolean
  /** Accepts any Host header: probes use the bare address. */
  anyHost: boolean
}

/** The same for everyone, and for programs. */
export const PLAIN: Traits = {
  identifies: false,
  resource: API_RESOURCE,
  showsBudget: false,
  isCounted: false,
  onlyChallenges: false,
  isOpen: false,
  namesSession: false,
  isSite: false,
  forPeople: false,
  anyHost: false,
}

/** For programs of any origin, within their budget. */
export const API: Traits = { ...PLAIN, identifies: true, showsBudget: true, isCounted: true, isOpen: true }

export const DOCUMENT: Traits = { ...PLAIN, forPeople: true }

/** For people in their browsers. */
export const PERSONAL: Traits = { ...DOCUMENT, identifies: true, isSite: true }

/** For programs of any origin, without identity or budget. */
export const OPEN: Traits = { ...PLAIN, isOpen: true }

export const PROBE: Traits = { ...PLAIN, anyHost: true }
