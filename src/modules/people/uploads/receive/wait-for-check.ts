import { subscribe } from '@/outbox/bus'

/** Long enough for most pictures; whoever waits longer is told to look later. */
const WAIT_MS = 8000

/** Begins to listen at once. The promise is kept when the check of this file has ended, or the time is up. */
export function checkOf(key: string, waitMs = WAIT_MS): { ended: Promise<void>; stop(): void } {
  let stop = () => {}
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(() => stop(), waitMs)
    const unsubscribe = subscribe((messages) => {
      if (messages.some((message) => isAbout(message, key))) stop()
    })
    stop = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
  })
  return { ended, stop: () => stop() }
}

const isAbout = ({ type, data }: { type: string; data: object }, key: string) =>
  (type === 'upload.completed' || type === 'upload.refused' || type === 'upload.deleted') &&
  (data as { key: string }).key === key
