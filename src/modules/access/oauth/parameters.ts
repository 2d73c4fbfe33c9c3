import { invalidRequest } from './refusal'

/** Parameters of a request, by name. One without a value counts as left out, as RFC 6749 wants. */
export type Parameters = ReadonlyMap<string, string>

/** Gives a required parameter, or refuses. */
export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing`)
  return value
}
