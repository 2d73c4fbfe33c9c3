import { connect, type Socket } from 'node:net'

export type Place = { host: string[]; port: number[]; path: string | false }

export async function dial({ host: [host = ''], port: [port = 0], path }: Place): Promise<Socket> {
  if (path) return connected(connect(path))
  // The driver verifies the TLS certificate against this name.
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
