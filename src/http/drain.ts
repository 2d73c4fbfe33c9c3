let draining = false

/** True once the process is stopping: it still answers, and asks clients to close their connections. */
export const isDraining = () => draining

export const beginDraining = () => {
  draining = true
}
