import { tools } from '@/areas'
import type { Action } from '@/core/action'
import type { Caller, Visitor } from '@/core/caller'
import { ERRORS, type ErrorCode, isAppError } from '@/core/errors'
import { scopesOfRole } from '@/core/scopes'
import { invoke } from '@/http/invoke'
import { envelope } from '@/http/registry'
import { call, post } from './api'
import type { Input } from './inputs'
import type { MadeUser } from './make'
import { apiRoutes } from './routes'

/** Somebody at any door: by a credential where there is HTTP, and as who they are found to be where there is none. */
export type Reader = { visitor: Visitor; token?: string }

export const STRANGER: Reader = { visitor: 'anonymous' }

export const readerOf = ({ user, id, token }: { user: MadeUser; id: string; token: string }): Reader => {
  const scopes = scopesOfRole(user.role === 'admin')
  const credential: Caller['credential'] = { kind: 'token', id, expiresAt: null }
  return { visitor: { userId: user.id, role: user.role, scopes, credential }, token }
}

export type Told = { status: number; text: string }

/** A way in. Its answers are told in the words of the API, so that those of two doors can be compared. */
export type Door = {
  name: string
  actions: Action[]
  isOpenToStrangers: (action: Action) => boolean
  ask: (reader: Reader, action: Action, input: Input) => Promise<Told>
}

const asksNobody = ({ access }: Action) => access === 'none' || access === 'public'

const routeOf = new Map(
  apiRoutes.flatMap((route) => (route.binding ? [[route.binding.action, route] as const] : [])),
)

const allActions = [...routeOf.keys()]

/** Whether an action only tells something. */
export const isReading = (action: Action) => routeOf.get(action)?.method === 'GET'

export const api: Door = {
  name: 'the API',
  actions: allActions,
  isOpenToStrangers: asksNobody,
  ask: ({ token }, action, input) => {
    const { method, pattern } = routeOf.get(action) as (typeof apiRoutes)[number]
    const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(input[name])))
    const asked = Object.entries(input).filter(([name]) => !pattern.includes(`:${name}`))
    const query = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]))
    return call(method, asked.length > 0 ? `${path}?${query}` : path, { token })
  },
}

/** Pages, feeds and widgets, whether or not one shows the action yet. */
export const site: Door = {
  name: 'the site',
  actions: allActions,
  isOpenToStrangers: (action) => asksNobody(action) || action.openOnSite === true,
  ask: async ({ visitor }, action, input) => {
    const entry = { visitor, id: 'test', onSite: true, request: null, budget: null }
    try {
      const result = await invoke(entry, action, () => input)
      return { status: 200, text: JSON.stringify(envelope(action.output)(result)) }
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      return {
        status: thrown.status,
        text: JSON.stringify({ error: thrown.message, code: thrown.appCode }),
      }
    }
  },
}

const toolOf = new Map(tools.map((tool) => [tool.action, tool.name]))

const agents: Door = {
  name: "the agents' tools",
  actions: [...toolOf.keys()],
  // Every agent shows a credential, whatever it asks for.
  isOpenToStrangers: () => false,
  ask: async ({ token }, action, input) => {
    const params = { name: toolOf.get(action), arguments: input }
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { status, text: refusal, body } = await post('/mcp', { token, json })
    if (status !== 200) return { status, text: refusal }
    const { isError, content } = body.result
    const { text } = content[0]
    return { status: isError ? ERRORS[JSON.parse(text).code as ErrorCode].status : 200, text }
  },
}

/** Every door that somebody may stand at. The command line has none: whoever types there runs the server. */
export const doors: Door[] = [api, site, agents]
