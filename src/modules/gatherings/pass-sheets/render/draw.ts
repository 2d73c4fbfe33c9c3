import { join } from 'node:path'
import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { type Excess, watch } from '@/lifecycle/watch'
import type { SheetCell } from '@/modules/passes/sheets/render'
import { StorageFull } from '@/outbound/storage/storage'
import type { Drawn, FromChild, Heading, ToChild } from './messages'

const ENTRY = join(import.meta.dir, 'child.ts')
/** Ten thousand badges with names in many scripts fit within these limits. */
const LIMITS = { memoryMb: 1024, cpuSeconds: 300, clockSeconds: 1200 }

/**
 * Renders a sheet in a child process. Cells are sent in batches as they are read, so that large events do not block the event loop.
 * The child always exits with this process.
 */
export async function drawSheet(
  heading: Heading,
  portions: AsyncIterable<SheetCell[]>,
  onProgress: (done: number, total: number) => Promise<void>,
): Promise<Drawn> {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Drawn>()
  outcome.catch(() => {})
  let over: Excess | undefined
  const child = Bun.spawn([process.execPath, '--smol', '--no-env-file', '--no-install', ENTRY], {
    cwd: import.meta.dir,
    // The child processes untrusted names, so it gets none of our environment, which holds secrets.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization: 'json',
    ipc: (message: FromChild) => {
      if ('drawn' in message) resolve(message.drawn)
      else if ('failed' in message) reject(failureOf(message))
      else onProgress(message.done, message.total).catch(reject)
    },
    onExit: () => reject(over ? tooMuch() : new Error('The process that draws sheets has ended')),
  })
  const stopWatching = watch(child.pid, LIMITS, (what) => {
    over = what
    child.kill('SIGKILL')
  })
  const send = (message: ToChild) => child.send(message)
  try {
    send({ heading })
    for await (const cells of portions) send({ cells })
    send({ draw: true })
    return await outcome
  } finally {
    stopWatching()
    child.kill('SIGKILL')
    await child.exited
  }
}

const failureOf = ({ failed, isFull }: { failed: string; isFull: boolean }) =>
  new (isFull ? StorageFull : Error)(`A sheet could not be drawn: ${failed}`)

const tooMuch = () => conflict(refusals.sheetTooLarge)
