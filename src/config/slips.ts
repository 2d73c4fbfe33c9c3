import { ConfigError } from './error'

/**
 * Refuses a name that is one slip of the fingers away from a setting: what it was meant to set would be missing without a
 * word. Names without an underscore are left alone, because other programs have words like them; and so is whatever is like a
 * setting that is there as well, be it empty.
 */
export function requireNoSlips(environment: Record<string, string | undefined>, settings: string[]): void {
  const known = new Set(settings)
  const meant = settings.filter((name) => name.includes('_') && environment[name] === undefined)
  for (const name of Object.keys(environment)) {
    if (known.has(name) || !/^[A-Z_]{6,}$/.test(name) || !environment[name]?.trim()) continue
    const setting = meant.find((one) => isOneSlipAway(name, one))
    if (setting !== undefined)
      throw new ConfigError(
        `${name} is no setting: did you mean ${setting}? If it is for another program, set ${setting} beside it, empty if need be.`,
      )
  }
}

/** A letter too many, too few, another one, or two that are swapped. */
function isOneSlipAway(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [one, other].map((name) => name.slice(start, name.length - end)) as [string, string]
  return Math.max(left.length, right.length) === 1 || (left.length === 2 && right === `${left[1]}${left[0]}`)
}
