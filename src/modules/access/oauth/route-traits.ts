import { PERSONAL, PLAIN, type Traits } from '@/http/route-traits'

/** Consent pages: show the person's budget and are closed to other origins. */
export const ASKING: Traits = { ...PERSONAL, showsBudget: true }

/** Requests of applications in their own name, also from browsers; they have their own limits. */
export const CLIENT: Traits = { ...PLAIN, identifies: true, showsBudget: true, isOpen: true }
