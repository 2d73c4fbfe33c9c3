import { type AddressInfo, connect, createServer } from 'node:net'

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.on('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}

/** Sends an SSLRequest and waits for the answer: the kernel accepts connections even for a hanging process. */
export function answersPostgres(port: number, patience: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(sslRequest))
    const finish = (answered: boolean) => {
      socket.destroy()
      done(answered)
    }
    socket.setTimeout(patience, () => finish(false))
    socket.on('data', () => finish(true))
    socket.on('error', () => finish(false))
    socket.on('close', () => finish(false))
  })
}

const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
