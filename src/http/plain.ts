import { handle } from './handle'
import { PLAIN, type Traits } from './traits'
import type { Visit } from './visit'

/** A route without an action: documents, probes and assets. It is hidden from the API's description. */
export const plain = (
  answer: (visit: Visit, params: Record<string, string>) => Response | Promise<Response>,
  traits: Traits = PLAIN,
) => [handle(answer, traits), { detail: { hide: true } }] as const
