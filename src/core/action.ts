import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { config } from '@/config/config'
import { type Access, type Administrator, type Asking, type Caller, demand, type RunOnce } from './caller'
import { type ErrorCode, isAppError } from './errors'
import { parser } from './parse'
import { perObject } from './per-object'
import { projector } from './projection'

/**
 * What tests hold every action to. In production an answer of another type, or a refusal that the documentation does not
 * know of, is no reason to fail.
 */
function checkedOutput<T>(output: TSchema, project: (result: T) => T): (result: T) => T {
  const check = TypeCompiler.Compile(output)
  return (result) => {
    const shown = project(result)
    const sent = shown === undefined ? undefined : JSON.parse(JSON.stringify(shown))
    if (!check.Check(sent))
      throw new Error(`answer does not fit its schema: ${check.Errors(sent).First()?.path}`)
    return shown
  }
}

const ALWAYS = new Set<ErrorCode>([
  'validation_error',
  'bad_request',
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'precondition_failed',
  'rate_limited',
  'unavailable',
])

type Declared = { name: string; errors?: readonly ErrorCode[] }

const declaredErrors = <T>({ name, errors }: Declared, result: Promise<T>, hasKey: boolean): Promise<T> =>
  result.catch((error) => {
    if (
      isAppError(error) &&
      !ALWAYS.has(error.appCode) &&
      !errors?.includes(error.appCode) &&
      // A key that was used before is a conflict of its own, whatever the action.
      !(hasKey && error.appCode === 'conflict')
    )
      throw new Error(`${name} does not declare ${error.appCode}`)
    throw error
  })

type CallerFor<A extends Access, S extends boolean> = A extends 'none'
  ? null
  : A extends 'public'
    ? Caller | null
    : S extends true
      ? Caller | null
      : A extends 'admin' | 'operator'
        ? Administrator
        : Caller

type Definition<A extends Access, I extends TObject, O extends TSchema, S extends boolean = boolean> = {
  /** A verb phrase; also the operation's name in OpenAPI. */
  name: string
  access: A
  /** It only looks: GET over HTTP, and agents need not ask before it. What a scope that reads allows does so anyway. */
  reads?: boolean
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
  /** The input holds a code that somebody may be guessing: codes that do not exist are limited, through every door. */
  failureLimit?: boolean
  /** Pages, feeds and widgets show it to anyone; then there may be no caller. The API asks for `access` all the same. */
  openOnSite?: S
  run: (caller: CallerFor<A, S>, input: Static<I>) => Static<O> | Promise<Static<O>>
}

export type Action<I extends TObject = TObject, O extends TSchema = TSchema> = Omit<
  Definition<Access, I, O>,
  'run'
> & {
  secret: boolean
  reads: boolean
  /**
   * Checks who asks, then the input, acts, and keeps of the result what the output names. Doors do not call this: they
   * call `invoke`, which also limits guesses and reads the idempotency key.
   */
  run: (asking: Asking, raw: unknown, once?: RunOnce) => Static<O> | Promise<Static<O>>
}

// biome-ignore lint/suspicious/noExplicitAny: what an action takes and gives is its own matter; `ResultOf` tells it.
export type AnyAction = Action<any, any>
export type ResultOf<A extends AnyAction> = Awaited<ReturnType<A['run']>>

/**
 * What callers may do, declared once. A route, an agent's tool, a page, a form and a command are bindings of the same
 * action, so that who may, the shape of the input and the rule itself cannot differ between them.
 */
export function action<
  A extends Access,
  I extends TObject,
  O extends TSchema,
  const S extends boolean = false,
>(definition: Definition<A, I, O, S>): Action<I, O> {
  const { access, input: schema, output, stable, openOnSite = false } = definition
  const secret = definition.secret ?? false
  const parse = Object.keys(schema.properties).length ? parser(schema) : () => ({}) as Static<I>
  const project = projector(output) as (result: Static<O>) => Static<O>
  const checked = config.mode === 'test' ? checkedOutput(output, project) : project
  // The same object again is the same answer again, so that whoever keeps its bytes finds them.
  const shown = stable ? (perObject(checked as (result: object) => object) as typeof checked) : checked
  return {
    ...definition,
    secret,
    reads: definition.reads ?? access.startsWith('read:'),
    run: (asking, raw, once) => {
      // `demand` gives exactly the caller that this kind of access promises.
      const caller = demand(asking, access, openOnSite) as CallerFor<A, S>
      const input = parse(raw)
      const result = once
        ? once(secret, async () => definition.run(caller, input))
        : definition.run(caller, input)
      if (!(result instanceof Promise)) return shown(result)
      const held = config.mode === 'test' ? declaredErrors(definition, result, once !== undefined) : result
      return held.then(shown)
    },
  }
}
