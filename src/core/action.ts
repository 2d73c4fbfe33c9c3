import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { type Access, type Caller, demand, type Visitor } from './caller'
import type { ErrorCode } from './errors'
import { parser } from './parse'

type CallerFor<A extends Access> = A extends 'public' ? Caller | null : A extends 'none' ? null : Caller

type Definition<A extends Access, I extends TObject, O extends TSchema> = {
  /** A verb phrase; also the operation's name in OpenAPI. */
  name: string
  access: A
  summary: string
  description?: string
  input: I
  output: O
  /** What it may refuse with, beyond what every action may: `validation_error`, 401, 403, 429. */
  errors?: readonly ErrorCode[]
  /** The answer holds a secret: it is never stored, not even for a replay. */
  secret?: boolean
  /** An object that `run` gives again stands for the answer that it gave before, so its bytes are kept. */
  stable?: boolean
  run: (caller: CallerFor<A>, input: Static<I>) => Static<O> | Promise<Static<O>>
}

export type Action<I extends TObject = TObject, O extends TSchema = TSchema> = Omit<
  Definition<Access, I, O>,
  'run'
> & {
  secret: boolean
  /** Checks the visitor, then the input, then acts: whoever calls this has passed every door. */
  run: (visitor: Visitor, raw: unknown) => Static<O> | Promise<Static<O>>
}

/**
 * What callers may do, declared once. A route and an agent's tool are bindings of the same action, so the
 * scope, the shape of the input and the rule itself cannot differ between them.
 */
export function action<A extends Access, I extends TObject, O extends TSchema>(
  definition: Definition<A, I, O>,
): Action<I, O> {
  const parse = Object.keys(definition.input.properties).length
    ? parser(definition.input)
    : () => ({}) as Static<I>
  const secret = definition.secret ?? false
  return {
    ...definition,
    secret,
    run: (visitor, raw) => {
      // `demand` gives exactly the caller that this kind of access promises.
      const caller = demand(visitor, definition.access) as CallerFor<A>
      const input = parse(raw)
      if (!caller?.once) return definition.run(caller, input)
      return caller.once(secret, async () => definition.run(caller, input))
    },
  }
}
