const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** Bytes with three significant digits and a unit. */
export function bytes(count: number): string {
  let [amount, unit] = [count, 0]
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000
    unit += 1
  }
  return `${unit === 0 ? amount : amount.toPrecision(3)} ${UNITS[unit]}`
}

export const counted = (count: number, one: string, several = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

const SPANS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** A duration in the largest unit of which it has at least two. */
export function lasting(seconds: number): string {
  const [length, name] = SPANS.find(([span]) => seconds >= 2 * span) ?? [1, 'second']
  return counted(Math.floor(seconds / length), name)
}
