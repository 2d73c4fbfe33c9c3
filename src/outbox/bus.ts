import type { BusMessage } from '@/core/domain-events'
import { gauge } from '@/core/metrics'

type Listen = (messages: BusMessage[]) => void

const subscribers = new Set<Listen>()
const droppers = new Set<() => void>()
let notify: Listen = () => {}
let connected = false

/** Reaches this process at once and every other one over the notify channel. Call after the commit. */
export function publish(messages: BusMessage[]) {
  deliver(messages)
  notify(messages)
}

/** Reaches this process alone. */
export function deliver(messages: BusMessage[]) {
  for (const listen of subscribers) listen(messages)
}

/** Gives what ends the subscription. */
export const subscribe = (listen: Listen): (() => void) => {
  subscribers.add(listen)
  return () => subscribers.delete(listen)
}

/** Called when messages of other processes may have been missed: whatever a cache holds is doubtful. */
export const onGap = (drop: () => void) => {
  droppers.add(drop)
}

/** Whether messages of other processes reach us, so that what a cache holds can be trusted. */
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
