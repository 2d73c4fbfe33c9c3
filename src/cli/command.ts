import { OPERATOR } from '@/auth/operator'
import type { AnyAction, ResultOf } from '@/core/action'
import { newId } from '@/core/ids'
import { envelope } from '@/http/envelope'
import { type Entry, invoke } from '@/http/invoke'

type Words = {
  name: string
  summary: string
  example: string
  /** The words after the name, as its help shows them. */
  takes?: string[]
}

type Terms<A extends AnyAction> = Words & {
  /** What the words mean to the action. */
  input?: (words: string[]) => Record<string, unknown>
  /** For a person at a terminal. */
  show: (result: ResultOf<A>) => string
}

/** How a command is asked for: `asJson` is for programs, `options` are those of its flags that were given. */
export type Asked = { asJson: boolean; options?: ReadonlySet<string> }

/** What is printed, and whether all is well: if not, the exit code says so. */
export type Outcome = { text: string; isWell: boolean }

export type Command = Required<Words> & {
  /** The flags that it knows beyond those of every command, and what each is for. */
  options: Record<string, string>
  run(words: string[], asked: Asked): Promise<Outcome>
}

/** Binds an action to a command of the operator. The way in is that of every door. */
export function command<A extends AnyAction>(
  action: A,
  { takes = [], input = () => ({}), show, ...words }: Terms<A>,
): Command {
  const inEnvelope = envelope(action.output)
  return {
    ...words,
    takes,
    options: {},
    async run(given, { asJson }) {
      const entry: Entry = {
        id: `cli-${newId()}`,
        visitor: OPERATOR,
        onSite: false,
        request: null,
        budget: null,
      }
      const result = await invoke(entry, action, () => input(given))
      return { text: asJson ? json(inEnvelope(result)) : show(result), isWell: true }
    },
  }
}

type TaskTerms<R> = Words & {
  options?: Record<string, string>
  work: (words: string[], options: ReadonlySet<string>) => Promise<R>
  show: (result: R) => string
  isWell?: (result: R) => boolean
}

/** A command for work on the host that is nobody else's to ask for, so that it is no action. It may take long. */
export const task = <R>({
  takes = [],
  options = {},
  work,
  show,
  isWell = () => true,
  ...words
}: TaskTerms<R>): Command => ({
  ...words,
  takes,
  options,
  async run(given, { asJson, options: chosen = new Set() }) {
    const result = await work(given, chosen)
    return { text: asJson ? json({ data: result }) : show(result), isWell: isWell(result) }
  },
})

const json = (value: unknown) => JSON.stringify(value, null, 2)
