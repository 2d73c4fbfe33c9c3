import type { BusMessage } from '@/core/domain-events'
import { gauge } from '@/core/metrics'

type Listen = (messages: BusMessage[]) => void

const subscribers = new Set<Listen>()
const droppers = new Set<() => void>()
let notify: Listen = () => {}
let connected = false

/** Delivers to this process at once and to all others over the notify channel. Call after the commit. */
export function publish(messages: BusMessage[]) {
  deliver(messages)
  notify(messages)
}

/** Delivers to this process only. */
export function deliver(messages: BusMessage[]) {
  for (const listen of subscribers) listen(messages)
}

/** Returns the unsubscribe function. */
export const subscribe = (listen: Listen): (() => void) => {
  subscribers.add(listen)
  return () => subscribers.delete(listen)
}

/** `drop` is called when messages of other processes may have been lost, so cached values may be stale. */
export const onGap = (drop: () => void) => {
  droppers.add(drop)
}

/** Whether messages of other processes arrive. Otherwise cached values may be stale. */
export const isConnected = () => connected

gauge('folkmoot_notify_channel_up', 'Whether messages of other processes reach this one.', () =>
  Number(connected),
)

export function setConnected(value: boolean) {
  connected = value
  if (!value) dropCaches()
}

export function dropCaches() {
  for (const drop of droppers) drop()
}

export const setNotify = (channel: Listen) => {
  notify = channel
}
