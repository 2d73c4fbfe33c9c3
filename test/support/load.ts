type Load = {
  /** Waits until so many more requests have been answered. */
  answers(count: number): Promise<void>
  total(): number
  stop(): Promise<{ statuses: Record<string, number>; failed: number; faults: string[] }>
}

/** Requests without a pause from a number of clients, until told to stop. A failure is a request without an answer. */
export function load(
  url: string,
  token: string,
  clients: number,
  isExpected: (error: unknown) => boolean = () => false,
): Load {
  const statuses: Record<string, number> = {}
  const faults = new Set<string>()
  let [failed, total, stopped] = [0, 0, false]
  const client = async () => {
    while (!stopped) {
      try {
        const response = await fetch(url, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(10_000),
        })
        await response.arrayBuffer()
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
      } catch (error) {
        if (isExpected(error)) await Bun.sleep(5)
        else {
          failed += 1
          faults.add(String((error as { code?: string }).code ?? error))
        }
      }
      total += 1
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    total: () => total,
    async answers(count) {
      const goal = total + count
      while (total < goal) await Bun.sleep(5)
    },
    async stop() {
      stopped = true
      await running
      return { statuses, failed, faults: [...faults] }
    },
  }
}
