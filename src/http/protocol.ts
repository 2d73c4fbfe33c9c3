import { handle } from './handle'
import type { Json } from './openapi/schemas'
import { DOCUMENT, PLAIN, type Traits } from './route-traits'
import type { Visit } from './visit'

/** A route without an action: documents, probes and assets. Hidden from the API description. */
export const plain = (
  answer: (visit: Visit, params: Record<string, string>) => Response | Promise<Response>,
  traits: Traits = DOCUMENT,
) => [handle(answer, traits), { detail: { hide: true } }] as const

/** The documentation of a route with foreign schemas. */
export type Protocol = {
  name: string
  summary: string
  description?: string
  security?: Json[]
  parameters?: Json[]
  /** The name of the path's wildcard. */
  rest?: string
  /** The documented path, if it differs from the route: a parameter with an extension cannot be routed as written. */
  shownAs?: string
  requestBody?: Json
  responses: Record<string, Json>
}

const protocols = new Map<string, Protocol & { traits: Traits }>()

/** A route of a foreign protocol, such as OAuth: without our envelope, but in the API description. */
export function protocol(
  definition: Protocol,
  answer: (visit: Visit, params: Record<string, string>) => Response | Promise<Response>,
  traits: Traits = PLAIN,
) {
  return [handle(answer, traits), { detail: describeProtocol(definition, traits) }] as const
}

export function describeProtocol(definition: Protocol, traits: Traits) {
  const { name, summary } = definition
  protocols.set(name, { ...definition, traits })
  return { operationId: name, summary }
}

export const protocolOf = (operationId: string | undefined) =>
  operationId ? protocols.get(operationId) : undefined
