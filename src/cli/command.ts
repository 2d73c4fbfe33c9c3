import { OPERATOR } from '@/auth/operator'
import type { AnyAction, ResultOf } from '@/core/action'
import { AppError, isAppError } from '@/core/errors'
import { newId } from '@/core/ids'
import { envelope } from '@/http/envelope'
import { type Entry, invoke } from '@/http/invoke'

/** A word or flag that cannot be meant: exit code 2, and the help of the command beside the sentence. */
export class WrongUse extends AppError {
  constructor(message: string) {
    super('validation_error', message)
  }
}

/** What a command is called, what it is for, and what may stand after its name. */
export type Described = {
  name: string
  summary: string
  example: string
  /** The words after the name, as its help shows them. */
  takes?: string[]
  /** The flags that it knows beyond those of every command. */
  options?: Record<string, Flag>
}

type Terms<A extends AnyAction> = Described & {
  /** The flags by the fields of the action that they fill: a refusal names what was typed. */
  flags?: Record<string, string>
  /** What the words mean to the action. */
  input?: (words: string[], options: Options) => Record<string, unknown>
  /** For a person at a terminal. */
  show: (result: ResultOf<A>) => string
}

/** What a flag is for; with `value` a word follows it, which the help calls so; one that is `needed` cannot be left out. */
export type Flag = { what: string; value?: string; needed?: true }

/** The flags that were given, and the word after each. */
export type Options = ReadonlyMap<string, string>

/** How a command is asked for: `asJson` is for programs. */
export type Asked = { asJson: boolean; options?: Options }

/** What is printed, and whether all is well: if not, the exit code says so. */
export type Outcome = { text: string; isWell: boolean }

export type Command = Required<Described> & {
  /** Whether it is run on a connection to the database that is there. What looks into a database that may be away opens its own. */
  connects: boolean
  run(words: string[], asked: Asked): Promise<Outcome>
}

/** Asks for an action as the operator does, by the one way in. */
export async function asOperator<A extends AnyAction>(
  action: A,
  input: Record<string, unknown>,
): Promise<ResultOf<A>> {
  const id = `cli-${newId()}`
  const entry: Entry = { id, visitor: OPERATOR, onSite: false, request: null, budget: null }
  return invoke(entry, action, () => input)
}

/** Binds an action to a command of the operator. The way in is that of every door. */
export function command<A extends AnyAction>(
  action: A,
  { takes = [], options = {}, flags = {}, input = () => ({}), show, ...words }: Terms<A>,
): Command {
  const inEnvelope = envelope(action.output)
  return {
    ...words,
    takes,
    options,
    connects: true,
    async run(given, { asJson, options: chosen = NONE }) {
      const result = await asOperator(action, input(given, chosen)).catch((error) => {
        throw inFlags(error, flags)
      })
      return { text: asJson ? json(inEnvelope(result)) : show(result), isWell: true }
    },
  }
}

function inFlags(error: unknown, flags: Record<string, string>): unknown {
  const about = isAppError(error) && error.appCode === 'validation_error' ? error.about : undefined
  const flag = about && flags[/^\w+/.exec(about.field)?.[0] ?? '']
  return flag ? new WrongUse(`${flag} ${about.reason}.`) : error
}

type TaskTerms<R> = Described & {
  connects?: boolean
  work: (words: string[], options: Options) => Promise<R>
  show: (result: R) => string
  isWell?: (result: R) => boolean
}

/** A command for work on the host that is nobody else's to ask for, so that it is no action. It may take long. */
export const task = <R>({
  takes = [],
  options = {},
  connects = true,
  work,
  show,
  isWell = () => true,
  ...words
}: TaskTerms<R>): Command => ({
  ...words,
  takes,
  options,
  connects,
  async run(given, { asJson, options: chosen = NONE }) {
    const result = await work(given, chosen)
    return { text: asJson ? json({ data: result }) : show(result), isWell: isWell(result) }
  },
})

const NONE: Options = new Map()

const json = (value: unknown) => JSON.stringify(value, null, 2)
