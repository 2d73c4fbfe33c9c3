/** The one source of time, so that tests can run days in milliseconds. */
let offsetMs = 0

export const now = () => new Date(Date.now() + offsetMs)

export const nowMs = () => Date.now() + offsetMs

/** Tests only: moves this process's clock forward. */
export const advanceClock = (ms: number) => {
  offsetMs += ms
}
