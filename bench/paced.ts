/** The 99th percentile of requests that come at a fixed pace, whether earlier ones were answered or not. */
export async function slowest(
  url: string,
  token: string,
  path: string,
  { requests = 1000, everyMs = 5 } = {},
): Promise<number> {
  const times: number[] = []
  const asked: Promise<void>[] = []
  for (let i = 0; i < requests; i += 1) {
    asked.push(ask(url + path, token, times))
    await Bun.sleep(everyMs)
  }
  await Promise.all(asked)
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] as number
}

async function ask(url: string, token: string, times: number[]) {
  const startedAt = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${response.status} beside other work`)
  times.push(performance.now() - startedAt)
}
