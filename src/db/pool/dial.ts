import { connect, type Socket } from 'node:net'

export type Place = { host: string[]; port: number[]; path: string | false }

/** Tries the hosts of the address in their order; the first that answers is taken. */
export async function dial({ host, port, path }: Place): Promise<Socket> {
  if (path) return connected(connect(path))
  let failure: unknown
  for (const [index, name] of host.entries())
    try {
      const socket = await connected(connect(port[index] as number, name))
      // The driver checks the certificate of an encrypted connection for this name.
      return Object.assign(socket, { host: name })
    } catch (error) {
      failure = error
    }
  throw failure
}

const connected = (socket: Socket) =>
  new Promise<Socket>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
