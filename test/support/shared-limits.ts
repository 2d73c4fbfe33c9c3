import type { ServerProcess } from './processes'

const IN_MEMORY = 'Redis does not answer'
const ROUNDS = 5

/**
 * Limits hold over all processes while Redis answers. On a busy machine it may not, in time, and then each process counts
 * for itself: such a round says nothing, and is run again. `round` gets an address that nobody has used before.
 */
export async function whileRedisAnswers<T>(
  servers: ServerProcess[],
  round: (address: string) => Promise<T>,
): Promise<T> {
  for (let i = 1; ; i += 1) {
    const before = timesInMemory(servers)
    const result = await round(newAddress())
    // What was logged in this moment is on its way.
    await Bun.sleep(50)
    if (timesInMemory(servers) === before || i === ROUNDS) return result
  }
}

const timesInMemory = (servers: ServerProcess[]) =>
  servers.reduce((sum, { output }) => sum + output().split(IN_MEMORY).length - 1, 0)

/** Redis may be shared with other runs. */
function newAddress() {
  const [a, b] = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${a?.toString(16)}:${b?.toString(16)}::1`
}
