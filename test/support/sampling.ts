/** Set by `bun run test:full`: crossings of many cases run whole. The fast suite runs a sample that changes daily. */
export const isWhole = process.env.TEST_WHOLE === 'true'

export const sampleSeed = process.env.SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', '')

/** Picks cases by the seed, in their order. Callers that sample the same list repeatedly pass different labels. */
export function sampled<T>(cases: readonly T[], count: number, label = ''): readonly T[] {
  if (isWhole || cases.length <= count) return cases
  return cases
    .map((one, at) => ({ one, at, rank: Bun.hash.wyhash(`${sampleSeed} ${label} ${at}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
