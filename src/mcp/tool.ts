import type { Action } from '@/core/action'
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
        const body = inEnvelope(await invoke(visit, action, () => input)) as object
        return { content: text(JSON.stringify(body)), structuredContent: body }
      } catch (thrown) {
        return { content: text(refusalText(refusalFor(visit, thrown))), isError: true }
      }
    },
  }
}

const text = (text: string) => [{ type: 'text' as const, text }]
