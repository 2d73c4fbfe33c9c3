let draining = false

/** True once the process has been told to stop: it answers what comes and asks everyone to leave. */
export const isDraining = () => draining

export const beginDraining = () => {
  draining = true
}
