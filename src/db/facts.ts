import type { Notice } from '@/core/events'

export type { Notice }

type Hear = (facts: Notice[]) => void

const hearers = new Set<Hear>()
const deafened = new Set<() => void>()
let ring: Hear = () => {}
let hearing = false

/** Tells this process at once and every other one as soon as the bell has rung. Call after the commit. */
export function announce(facts: Notice[]) {
  hear(facts)
  ring(facts)
}

export function hear(facts: Notice[]) {
  for (const listen of hearers) listen(facts)
}

/** Gives what ends the listening. */
export const onFacts = (listen: Hear): (() => void) => {
  hearers.add(listen)
  return () => hearers.delete(listen)
}

/** Called when facts of other processes may have been missed: whatever was remembered is doubtful. */
export const onDeaf = (forget: () => void) => {
  deafened.add(forget)
}

/** Whether facts of other processes reach us, so that what we remember can be trusted. */
export const isHearing = () => hearing

export function setHearing(value: boolean) {
  hearing = value
  if (!value) forgetAll()
}

export function forgetAll() {
  for (const forget of deafened) forget()
}

export const setBell = (bell: Hear) => {
  ring = bell
}
