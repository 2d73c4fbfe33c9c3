import type { AnyAction, ResultOf } from '@/core/action'
import type { Caller } from '@/core/caller'
import { AppError, isAppError } from '@/core/errors'
import { newId } from '@/core/ids'
import { scopesOfRole } from '@/core/scopes'
import { type Entry, invoke } from '@/http/invoke'
import { envelope } from '@/http/registry'

/**
 * The credential of a command on the host: its user can read the key and the database, so it has admin rights. It is no person:
 * nothing can belong to it, and the audit log names no actor.
 */
const OPERATOR: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  role: 'admin',
  scopes: scopesOfRole(true),
  credential: { kind: 'operator', id: 'operator' },
}

/** Wrong usage: exit code 2, with the help of the command. */
export class WrongUse extends AppError {
  constructor(message: string) {
    super('validation_error', message)
  }
}

export type Described = {
  name: string
  summary: string
  example: string
  /** The positional arguments, as shown in the help. */
  takes?: string[]
  /** Flags beyond those of every command. */
  options?: Record<string, Flag>
}

type Terms<A extends AnyAction> = Described & {
  /** Flags by the action fields they fill: an error names the flag. */
  flags?: Record<string, string>
  /** Builds the action's input. */
  input?: (words: string[], options: Options) => Record<string, unknown>
  /** For a person at a terminal. */
  show: (result: ResultOf<A>) => string
}

/** `value` names the flag's argument in the help; a `needed` flag is required. */
export type Flag = { what: string; value?: string; needed?: true }

/** The given flags with their arguments. */
export type Options = ReadonlyMap<string, string>

/** `asJson` is for programs. */
export type Asked = { asJson: boolean; options?: Options }

/** The output; the exit code is non-zero unless `isWell`. */
export type Outcome = { text: string; isWell: boolean }

export type Command = Required<Described> & {
  /** Whether it needs a connected database. Commands that diagnose one open their own connections. */
  connects: boolean
  run(words: string[], asked: Asked): Promise<Outcome>
}

/** Invokes an action as the operator. */
export async function asOperator<A extends AnyAction>(
  action: A,
  input: Record<string, unknown>,
): Promise<ResultOf<A>> {
  const id = `cli-${newId()}`
  const entry: Entry = { id, visitor: OPERATOR, onSite: false, request: null, budget: null }
  return invoke(entry, action, () => input)
}

/** Binds an action to an operator command. */
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

/** A command for host-only work, so that it is no action. It may take long. */
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
