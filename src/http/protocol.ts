import { handle } from './handle'
import type { Json } from './openapi/schemas'
import { PLAIN, type Traits } from './route-traits'
import type { Visit } from './visit'

/** How a route is documented whose shapes are not ours to choose. */
export type Protocol = {
  name: string
  summary: string
  description?: string
  security?: Json[]
  parameters?: Json[]
  /** What the path calls its open end. */
  rest?: string
  /** The path as readers know it, where a part of it is taken whole: a parameter with an ending does not route as it reads. */
  shownAs?: string
  requestBody?: Json
  responses: Record<string, Json>
}

const protocols = new Map<string, Protocol & { traits: Traits }>()

/** A route that speaks a protocol of others, such as OAuth: no envelope of ours, but in the description all the same. */
export function protocol(
  definition: Protocol,
  answer: (visit: Visit, params: Record<string, string>) => Response | Promise<Response>,
  traits: Traits = PLAIN,
) {
  return [handle(answer, traits), { detail: describeProtocol(definition, traits) }] as const
}

/** Keeps the words of a protocol for the API's description. */
export function describeProtocol(definition: Protocol, traits: Traits) {
  const { name, summary } = definition
  protocols.set(name, { ...definition, traits })
  return { operationId: name, summary }
}

export const protocolOf = (operationId: string | undefined) =>
  operationId ? protocols.get(operationId) : undefined
