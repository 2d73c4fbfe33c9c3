import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

let draining = false

/** True once the process is stopping: it still answers, and asks clients to close their connections. */
export const isDraining = () => draining

export const beginDraining = () => {
  draining = true
}

const SOL_SOCKET = 1
const SO_ATTACH_FILTER = 26
const LISTEN = '0A'

/**
 * Makes the kernel ignore new connections to a listening port. Closing the listener would reset connections that wait to be
 * accepted; ignored ones are retried by their sender and reach the next process. Linux only; elsewhere, or without permission, it
 * does nothing.
 */
export function ignoreNewConnections(port: number): void {
  if (process.platform !== 'linux') return
  try {
    for (const fd of listenersOn(port)) attachDropFilter(fd)
  } catch {
    // Without it a few connections may be reset at the end, as with any other server.
  }
}

/** Our file descriptors that listen on the port, found by the inode of their socket. */
function listenersOn(port: number): number[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[1]?.endsWith(suffix) && cells[3] === LISTEN)
      .map((cells) => `socket:[${cells[9]}]`),
  )
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => inodes.includes(linkOf(fd)))
}

function linkOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

/**
 * A socket filter that drops SYN packets only: a client that got its answer considers the connection open, and its request would
 * be lost. Each instruction is a code, two jumps and a value.
 */
const DROP_BEGINNINGS = [
  [0x30, 0, 0, 13], // Load the TCP flags;
  [0x45, 0, 1, 0x02], // if SYN is set,
  [0x06, 0, 0, 0], // drop the packet,
  [0x06, 0, 0, 0xffffffff], // otherwise accept it.
] as const

function attachDropFilter(fd: number) {
  const libc = dlopen('libc.so.6', {
    setsockopt: {
      args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i32,
    },
  })
  const program = new Uint8Array(8 * DROP_BEGINNINGS.length)
  for (const [index, [code, whenTrue, whenFalse, value]] of DROP_BEGINNINGS.entries()) {
    const instruction = new DataView(program.buffer, 8 * index, 8)
    instruction.setUint16(0, code, true)
    instruction.setUint8(2, whenTrue)
    instruction.setUint8(3, whenFalse)
    instruction.setUint32(4, value, true)
  }
  const header = new Uint8Array(16)
  const view = new DataView(header.buffer)
  view.setUint16(0, DROP_BEGINNINGS.length, true)
  view.setBigUint64(8, BigInt(ptr(program)), true)
  libc.symbols.setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, ptr(header), 16)
  libc.close()
}
