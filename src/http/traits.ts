import { isOpenToOrigins } from './cors'

/** What a path means for its answers; worked out once for each route. */
export type Traits = {
  /** Shows the caller's budget. */
  showsBudget: boolean
  /** Is charged to it. */
  isCounted: boolean
  /** May be read by any origin. */
  isOpen: boolean
}

export const traitsOf = (path: string): Traits => ({
  showsBudget: ['/v1/', '/mcp', '/oauth/', '/pass/'].some((prefix) => path.startsWith(prefix)),
  isCounted: (path.startsWith('/v1/') && !path.startsWith('/v1/uploads/file/')) || path.startsWith('/mcp'),
  isOpen: isOpenToOrigins(path),
})
