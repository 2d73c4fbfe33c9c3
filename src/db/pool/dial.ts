import { connect, type Socket } from 'node:net'

export type Place = { host: string[]; port: number[]; path: string | false }

/** Connects to the one host of an address. */
export async function dial({ host: [host = ''], port: [port = 0], path }: Place): Promise<Socket> {
  if (path) return connected(connect(path))
  // The driver checks the certificate of an encrypted connection for this name.
  return Object.assign(await connected(connect(port, host)), { host })
}

const connected = (socket: Socket) =>
  new Promise<Socket>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
