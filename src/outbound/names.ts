import { getServers, Resolver, setServers } from 'node:dns'
import { dns } from 'bun'

let servers = getServers().join()

/**
 * Resolves a name by the hosts file or DNS. getaddrinfo would block one of the few threads that also read files while a name
 * server is silent.
 */
export async function lookUp(name: string): Promise<string[]> {
  try {
    return await ask(name)
  } catch (error) {
    if (!haveMoved()) throw error
    return await ask(name)
  }
}

const ask = async (name: string) =>
  (await dns.lookup(name, { backend: 'c-ares' })).map(({ address }) => address)

/** c-ares reads the name servers only once, and the network may change. */
function haveMoved(): boolean {
  const found = new Resolver().getServers()
  if (found.join() === servers) return false
  servers = found.join()
  setServers(found)
  return true
}
