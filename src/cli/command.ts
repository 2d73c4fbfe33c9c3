import { OPERATOR } from '@/auth/operator'
import type { AnyAction, ResultOf } from '@/core/action'
import { newId } from '@/core/ids'
import { envelope } from '@/http/envelope'
import { type Entry, invoke } from '@/http/invoke'

type Terms<A extends AnyAction> = {
  name: string
  summary: string
  example: string
  /** The words after the name, as its help shows them. */
  takes?: string[]
  /** What they mean to the action. */
  input?: (words: string[]) => Record<string, unknown>
  /** For a person at a terminal. */
  show: (result: ResultOf<A>) => string
}

export type Command = {
  name: string
  summary: string
  example: string
  takes: string[]
  /** Gives what is printed: the body that the API would answer, or its words for a person. */
  run(words: string[], asJson: boolean): Promise<string>
}

/** Binds an action to a command of the operator. The way in is that of every door. */
export function command<A extends AnyAction>(
  action: A,
  { name, summary, example, takes = [], input = () => ({}), show }: Terms<A>,
): Command {
  const inEnvelope = envelope(action.output)
  return {
    name,
    summary,
    example,
    takes,
    async run(words, asJson) {
      const entry: Entry = {
        id: `cli-${newId()}`,
        visitor: OPERATOR,
        onSite: false,
        request: null,
        budget: null,
      }
      const result = await invoke(entry, action, () => input(words))
      return asJson ? JSON.stringify(inEnvelope(result), null, 2) : show(result)
    },
  }
}
