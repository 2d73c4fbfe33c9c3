import { type ServerProcess, startServer } from './processes'

export type Three = {
  servers: ServerProcess[]
  /** Sends a request to one of them, in turn. */
  ask(turn: number, method: string, path: string, token: string, json?: unknown): Promise<number>
  stop(): Promise<void>
}

/** Three servers on one database, with the limits out of the way: what holds here holds for any number. */
export async function startThree(
  databaseUrl: string,
  environment: Record<string, string> = {},
): Promise<Three> {
  const servers = await Promise.all(
    [1, 2, 3].map(() =>
      startServer({ DATABASE_URL: databaseUrl, RATE_LIMIT_USER_PER_HOUR: '1000000', ...environment }),
    ),
  )
  return {
    servers,
    async ask(turn, method, path, token, json) {
      const response = await fetch(`${servers[turn % servers.length]?.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      await response.arrayBuffer()
      return response.status
    },
    async stop() {
      for (const server of servers) await server.stop('SIGKILL')
    },
  }
}

/** As a client would: a busy server says when to come back, and is asked again. */
export async function askAgain(three: Three, ...request: Parameters<Three['ask']>): Promise<number> {
  for (;;) {
    const status = await three.ask(...request)
    if (status !== 503) return status
    await Bun.sleep(100)
  }
}

/** How many answers of each status there were. */
export const countStatuses = (statuses: number[]) =>
  Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  )
