import { mayAsk } from '@/core/caller'
import { VERSION } from '@/core/version'
import type { Visit } from '@/http/visit'
import { CAPABILITIES, PROTOCOL_VERSION } from './capabilities'
import { type Call, FAULTS, failed, type Reply, succeeded } from './jsonrpc'
import type { Tool } from './tool'

type Params = Record<string, unknown>
type Method = (visit: Visit, params: Params) => object | Promise<object>

/** What agents can ask, over the tools that there are. */
export function methodsOver(tools: readonly Tool[]) {
  const methods: Record<string, Method> = {
    initialize: () => ({
      // One version is spoken here. A client that asked for another decides whether it can do with this one.
      protocolVersion: PROTOCOL_VERSION,
      capabilities: Object.fromEntries(
        Object.entries(CAPABILITIES)
          .filter(([, isThere]) => isThere)
          .map(([name]) => [name, {}]),
      ),
      serverInfo: { name: 'folkmoot', version: VERSION },
    }),
    ping: () => ({}),
    // Courtesy alone: whether somebody may, the action decides when it is called.
    'tools/list': (visit) => ({
      tools: tools.filter(({ action }) => mayAsk(visit, action.access)).map((tool) => tool.listed()),
    }),
    'tools/call': (visit, { name, arguments: input = {} }) => {
      const called = tools.find((tool) => tool.name === name)
      if (!called || !isRecord(input)) throw new WrongParams()
      return called.call(visit, input)
    },
  }

  /** Answers a call; a notification, which has no id, is not answered. */
  return async function perform(visit: Visit, { method, params, id }: Call): Promise<Reply | undefined> {
    if (id === undefined) return undefined
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run) return failed(id, FAULTS.method)
    try {
      return succeeded(id, await run(visit, isRecord(params) ? params : {}))
    } catch (thrown) {
      if (thrown instanceof WrongParams) return failed(id, FAULTS.params)
      throw thrown
    }
  }
}

class WrongParams extends Error {}

const isRecord = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
