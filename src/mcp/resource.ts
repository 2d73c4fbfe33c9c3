import type { AnyAction } from '@/core/action'
import { invoke } from '@/http/invoke'
import { envelope } from '@/http/registry'
import type { Visit } from '@/http/visit'

type Words = { name: string; title: string; description: string }

/** A readable address. Binds the action of a route and returns the same body. */
export type Resource = Words & {
  /** `folkmoot://events`, or a template with a name in braces. */
  uri: string
  isTemplate: boolean
  action: AnyAction
  /** The action's input from an address; null for another address. */
  inputOf(uri: string): Record<string, string> | null
  read(visit: Visit, input: Record<string, string>): Promise<string>
}

export function resource(action: AnyAction, uri: string, words: Words): Resource {
  const [, hole] = /\{(\w+)\}$/.exec(uri) ?? []
  const beginning = hole === undefined ? uri : uri.slice(0, uri.indexOf('{'))
  const inEnvelope = envelope(action.output)
  return {
    ...words,
    uri,
    isTemplate: hole !== undefined,
    action,
    inputOf(asked) {
      if (hole === undefined) return asked === uri ? {} : null
      const rest = asked.startsWith(beginning) ? asked.slice(beginning.length) : ''
      return /^[\w.-]{1,100}$/.test(rest) ? { [hole]: rest } : null
    },
    read: async (visit, input) => JSON.stringify(inEnvelope(await invoke({ ...visit }, action, () => input))),
  }
}
