/** The only clock, so that tests can skip days. */
let offsetMs = 0

export const now = () => new Date(Date.now() + offsetMs)

export const nowMs = () => Date.now() + offsetMs

/** Tests only: moves this process's clock forward. */
export const advanceClock = (ms: number) => {
  offsetMs += ms
}

export const DAY_MS = 24 * 60 * 60 * 1000

export const ago = (ms: number) => new Date(nowMs() - ms)
