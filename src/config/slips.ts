import { ConfigError } from './error'

/**
 * Refuses a name that is one typo away from a setting, which would otherwise be missing silently. Ignores names without an
 * underscore, which other programs use, and names close to a setting that is also present, even if empty.
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

/** One extra, missing, different or swapped letter. */
function isOneSlipAway(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [one, other].map((name) => name.slice(start, name.length - end)) as [string, string]
  return Math.max(left.length, right.length) === 1 || (left.length === 2 && right === `${left[1]}${left[0]}`)
}
