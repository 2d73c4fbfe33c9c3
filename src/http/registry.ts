import type { Action } from '@/core/action'

/** `also` is another status of success, for what was so already; `rest` is what the path calls its open end. */
export type Binding = { action: Action; status: number; also?: number; rest?: string }

const bindings = new Map<string, Binding>()

/** Remembers which action stands behind a route, for the documentation and for the tests of all routes. */
export function register(action: Action, status: number, also?: number, rest?: string) {
  const known = bindings.get(action.name)
  if (known && known.action !== action) throw new Error(`Two actions are called ${action.name}`)
  bindings.set(action.name, { action, status, also, rest })
  return { operationId: action.name, summary: action.summary }
}

export const bindingOf = (operationId: string | undefined) =>
  operationId ? bindings.get(operationId) : undefined
