/** As a client would: a server that is busy for a moment is asked again. */
export async function patiently<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  const answer = await ask()
  if (answer.status !== 503) return answer
  await Bun.sleep(100)
  return patiently(ask)
}
