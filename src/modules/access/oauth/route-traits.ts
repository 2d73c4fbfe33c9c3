import { PERSONAL, PLAIN, type Traits } from '@/http/route-traits'

/** The consent of a person: shows their budget, and is read by no other origin. */
export const ASKING: Traits = { ...PERSONAL, showsBudget: true }

/** What applications ask in their own name, from browsers too; their limits are of another kind than the hour's budget. */
export const CLIENT: Traits = { ...PLAIN, identifies: true, showsBudget: true, isOpen: true }
