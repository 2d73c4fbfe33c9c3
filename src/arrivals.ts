import type { Arrival } from './modules/access/sign-in/people/arrivals'
import { learnLanguage } from './modules/account/preferences/arrive'
import { adoptTaps } from './modules/passes/tap/adopt'

/** What every area does for a person whose browser signs in. */
export const arrivals: Arrival[] = [adoptTaps, learnLanguage]
