import type { Visit } from './visit'

type Context = { visit: Visit; route: string; params?: Record<string, string> }

/** A route without an action: documents, probes and assets. It is hidden from the API's description. */
export const plain = (
  answer: (visit: Visit, params: Record<string, string>) => Response | Promise<Response>,
) =>
  [
    ({ visit, route, params }: Context) => {
      visit.route = route
      return answer(visit, params ?? {})
    },
    { parse: 'none' as const, detail: { hide: true } },
  ] as const
