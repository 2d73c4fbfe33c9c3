/**
 * Under constant invalidation a page is stale as soon as it is read. So one read per page runs at a time, and requests that arrive
 * meanwhile share the next one, which starts after them and so includes all they know of.
 */
export function coalesce<V>(read: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<V>>()

  const begin = (key: string): Promise<V> => {
    next.delete(key)
    const reading = read(key)
    const ended = reading.then(
      () => {},
      () => {},
    )
    running.set(key, ended)
    void ended.then(() => {
      if (running.get(key) === ended) running.delete(key)
    })
    return reading
  }

  return (key) => {
    const current = running.get(key)
    if (current === undefined) return begin(key)
    const shared = next.get(key) ?? current.then(() => begin(key))
    next.set(key, shared)
    return shared
  }
}
