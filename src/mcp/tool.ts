import type { Action } from '@/core/action'
import { invalid } from '@/core/errors'
import { envelope } from '@/http/envelope'
import { invoke } from '@/http/invoke'
import { hoist, type Json } from '@/http/openapi/schemas'
import { refusalFor, refusalText } from '@/http/refuse'
import type { Visit } from '@/http/visit'

type Words = {
  /** As in the contract: the thing, then the verb. */
  name: string
  title: string
  /** For a model: when to use it and what comes back. */
  description: string
}

/** An agent's tool. It is a binding like a route: who may and what the rule is, its action knows. */
export type Tool = Words & {
  action: Action
  /** As `tools/list` shows it. */
  listed(): Json
  call(visit: Visit, input: Record<string, unknown>): Promise<ToolResult>
}

type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

/** Reading tools say so, from the action's own access: a scope that only reads changes nothing. */
export function tool(action: Action, words: Words): Tool {
  const inEnvelope = envelope(action.output)
  const readOnlyHint = /^(read:|public$|none$)/.test(action.access)
  const { name, title, description } = words
  return {
    ...words,
    action,
    listed: () => ({
      name,
      description,
      inputSchema: { ...(hoist(action.input, null) as Json), additionalProperties: false },
      annotations: { title, readOnlyHint },
    }),
    async call(visit, input) {
      try {
        demandKnownArguments(action, input)
        // A copy: what the limit on guesses says is in the refusal, and the headers tell of the hour's budget.
        const body = inEnvelope(await invoke({ ...visit }, action, () => input)) as object
        return { content: text(JSON.stringify(body)), structuredContent: body }
      } catch (thrown) {
        return { content: text(refusalText(refusalFor(visit, thrown))), isError: true }
      }
    },
  }
}

const text = (text: string) => [{ type: 'text' as const, text }]

/** The schema promises it: what an agent believes to have asked must be what was asked. */
function demandKnownArguments({ input }: Action, given: Record<string, unknown>) {
  const known = Object.keys(input.properties)
  if (Object.keys(given).every((name) => known.includes(name))) return
  throw invalid(
    known.length === 0
      ? 'This tool takes no arguments'
      : `This tool takes no arguments but ${known.join(', ')}`,
  )
}
