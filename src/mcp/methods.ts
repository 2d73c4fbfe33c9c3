import { VERSION } from '@/core/version'
import { CAPABILITIES, PROTOCOL_VERSION } from './capabilities'
import { type Call, FAULTS, failed, type Reply, succeeded } from './jsonrpc'

const METHODS: Record<string, () => object> = {
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
}

/** Answers a call; whoever gave it no id wants no answer. */
export function perform({ method, id }: Call): Reply | undefined {
  if (id === undefined) return undefined
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  return run ? succeeded(id, run()) : failed(id, FAULTS.method)
}
