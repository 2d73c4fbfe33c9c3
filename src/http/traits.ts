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
  /** Says the name of the agent's session after it, whatever the answer. */
  namesSession: boolean
}

const BUDGETED = ['/v1', '/mcp', '/oauth', '/pass']
const PERSONAL = ['/login', '/auth', '/settings']
/** Of `/mcp`: neither of them does anything. */
const FREE = ['GET', 'HEAD', 'DELETE']

export const traitsOf = (path: string, method: string): Traits => {
  const isIn = (root: string) => path === root || path.startsWith(`${root}/`)
  return {
    identifies: [...BUDGETED, ...PERSONAL].some(isIn),
    resource: resourceOf(path),
    showsBudget: BUDGETED.some(isIn),
    isCounted: (isIn('/v1') && !isIn('/v1/uploads/file')) || (isIn('/mcp') && !FREE.includes(method)),
    isOpen: isOpenToOrigins(path),
    namesSession: isIn('/mcp'),
  }
}
