import { invalidRequest } from './refusal'

/** What was asked, by name. A parameter without a value counts as left out, as RFC 6749 wants. */
export type Parameters = ReadonlyMap<string, string>

/** Asks for a parameter that nothing can be done without. */
export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing`)
  return value
}
