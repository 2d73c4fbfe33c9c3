import { getServers, Resolver, setServers } from 'node:dns'
import { dns } from 'bun'

let servers = getServers().join()

/**
 * The addresses of a name, from the hosts file or the name servers. The system's own call would hold a thread for as
 * long as a name server keeps silent, and files are read by the same few threads.
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

/** c-ares reads the list of name servers only once, and a network may come up after us or change. */
function haveMoved(): boolean {
  const found = new Resolver().getServers()
  if (found.join() === servers) return false
  servers = found.join()
  setServers(found)
  return true
}
