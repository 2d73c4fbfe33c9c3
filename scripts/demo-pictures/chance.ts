/** A seeded random generator: the same name draws the same picture. */
export type Chance = {
  number: (from: number, to: number) => number
  whole: (from: number, to: number) => number
  one: <T>(of: readonly T[]) => T
}

export function chanceOf(name: string): Chance {
  let state = Number(Bun.hash.crc32(name)) || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  // Skips the first numbers, which are similar for similar seeds.
  for (let i = 0; i < 8; i += 1) next()
  const number = (from: number, to: number) => from + next() * (to - from)
  const whole = (from: number, to: number) => Math.floor(number(from, to + 1))
  return { number, whole, one: (of) => of[whole(0, of.length - 1)] as (typeof of)[number] }
}
