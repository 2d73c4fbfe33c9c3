import { handle } from './handle'
import { DOCUMENT, type Traits } from './route-traits'
import type { Visit } from './visit'

/** A route without an action: documents, probes and assets. Hidden from the API description. */
export const plain = (
  answer: (visit: Visit, params: Record<string, string>) => Response | Promise<Response>,
  traits: Traits = DOCUMENT,
) => [handle(answer, traits), { detail: { hide: true } }] as const
