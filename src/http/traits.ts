import { resourceOf } from '@/core/resources'
import { isOpenToOrigins } from './cors'

/** What a path means for its answers; worked out once for each route. */
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
}

const BUDGETED = ['/v1/', '/mcp', '/oauth/', '/pass/']
const PERSONAL = ['/login', '/auth/']

export const traitsOf = (path: string): Traits => ({
  identifies: [...BUDGETED, ...PERSONAL].some((prefix) => path.startsWith(prefix)),
  resource: resourceOf(path),
  showsBudget: BUDGETED.some((prefix) => path.startsWith(prefix)),
  isCounted: (path.startsWith('/v1/') && !path.startsWith('/v1/uploads/file/')) || path.startsWith('/mcp'),
  isOpen: isOpenToOrigins(path),
})
