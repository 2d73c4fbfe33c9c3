/** Chance that can be had again: a test that fails says with which seed. */
export function seededRandom(seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))) {
  console.log(`seed ${seed}`)
  let state = seed
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  return { random, pick, chance: (share: number) => random() < share }
}

export type Random = ReturnType<typeof seededRandom>
