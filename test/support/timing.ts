type Kind = () => Promise<unknown>

const PAIRS = 60
const ROUNDS = 4

/**
 * How much longer one kind takes than another, in ms. They take turns, so that whatever else the machine does falls on both,
 * and their quick tenth is compared, which a busy machine slows down least. The least of a few rounds: a difference that is
 * really there is there in each of them.
 */
export async function leastDifferenceMs(one: Kind, other: Kind): Promise<number> {
  const differences: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: [number[], number[]] = [[], []]
    for (let i = 0; i < PAIRS; i += 1) {
      // Neither always comes first.
      const kinds = [one, other] as const
      for (const which of i % 2 ? [0, 1] : [1, 0])
        times[which as 0 | 1].push(await timeOf(kinds[which as 0 | 1]))
    }
    differences.push(Math.abs(quickTenth(times[0]) - quickTenth(times[1])))
    if (Math.min(...differences) < 0.3) break
  }
  return Math.min(...differences)
}

const quickTenth = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)] as number

async function timeOf(kind: Kind): Promise<number> {
  const startedAt = performance.now()
  await kind()
  return performance.now() - startedAt
}
