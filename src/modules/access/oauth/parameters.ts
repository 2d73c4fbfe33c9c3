import { invalidRequest } from './refusal'

/** Request parameters by name. An empty one counts as omitted (RFC 6749). */
export type Parameters = ReadonlyMap<string, string>

export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing`)
  return value
}
