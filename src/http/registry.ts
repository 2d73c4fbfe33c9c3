import type { TSchema } from '@sinclair/typebox'
import type { Action } from '@/core/action'

/** Wraps a result in `{data}`; a page already has it. */
export function envelope(output: TSchema): (value: unknown) => unknown {
  const isPage = output.type === 'object' && 'pagination' in (output.properties ?? {})
  return isPage ? (value) => value : (data) => ({ data })
}

/** `also` is a second success status, for results that existed already; `rest` names the wildcard of the path. */
export type Binding = { action: Action; status: number; also?: number; rest?: string }

const bindings = new Map<string, Binding>()

/** Records the action of a route, for the documentation and the tests of all routes. */
export function register(action: Action, status: number, also?: number, rest?: string) {
  const known = bindings.get(action.name)
  if (known && known.action !== action) throw new Error(`Two actions are called ${action.name}`)
  bindings.set(action.name, { action, status, also, rest })
  return { operationId: action.name, summary: action.summary }
}

export const bindingOf = (operationId: string | undefined) =>
  operationId ? bindings.get(operationId) : undefined
