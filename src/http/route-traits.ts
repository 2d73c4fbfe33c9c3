import { API_RESOURCE } from '@/core/resources'

/** What a route means for its requests and answers. Its binder declares it; the plumbing knows no path. */
export type Traits = {
  /** Looks who is at the door. */
  identifies: boolean
  /** What a token has to be good for here. */
  resource: string
  /** Shows the caller's budget. */
  showsBudget: boolean
  /** Is charged to it. */
  isCounted: boolean
  /** May be read by any origin. */
  isOpen: boolean
  /** Says the name of the agent's session after it, whatever the answer. */
  namesSession: boolean
  /** A page, a feed or a widget: actions that are open on the site answer anyone here. */
  isSite: boolean
  /** May be opened in a browser: whoever navigates there reads a refusal on a page. Elsewhere it is JSON for everyone. */
  forPeople: boolean
  /** Answers under any name of the host: probes come by bare address, from whoever keeps the machines. */
  anyHost: boolean
}

/** The same for everyone, and for programs. */
export const PLAIN: Traits = {
  identifies: false,
  resource: API_RESOURCE,
  showsBudget: false,
  isCounted: false,
  isOpen: false,
  namesSession: false,
  isSite: false,
  forPeople: false,
  anyHost: false,
}

/** For programs of any origin, within their budget. */
export const API: Traits = { ...PLAIN, identifies: true, showsBudget: true, isCounted: true, isOpen: true }

/** Documents and assets. */
export const DOCUMENT: Traits = { ...PLAIN, forPeople: true }

/** For people in their browsers. */
export const PERSONAL: Traits = { ...DOCUMENT, identifies: true, isSite: true }

/** What programs of any origin may read. */
export const OPEN: Traits = { ...PLAIN, isOpen: true }

export const PROBE: Traits = { ...PLAIN, anyHost: true }
