import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { config } from '@/config/config'
import { type Access, type Administrator, type Asking, type Caller, demand, type RunOnce } from './caller'
import { type ErrorCode, isAppError } from './errors'
import { perObject } from './memo'
import { parser } from './parse'
import { projector } from './projection'

/** In tests every result and refusal must match the declaration. Production does not fail a request over a wrong type. */
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
      // Every action can get the `conflict` of a reused idempotency key.
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

/** The most requests per second of one client address. Many people at a venue share an address. */
export type Rate = { name: string; perSecond: number; venuePerSecond?: number }

type Definition<A extends Access, I extends TObject, O extends TSchema, S extends boolean = boolean> = {
  /** A verb phrase; also the operation's name in OpenAPI. */
  name: string
  access: A
  /** Reads only: GET over HTTP, and agents call it without asking first. Implied by a scope that only reads. */
  reads?: boolean
  summary: string
  description?: string
  input: I
  output: O
  /** Error codes beyond those of every action: `validation_error`, 401, 403, 429. */
  errors?: readonly ErrorCode[]
  /** The result holds a secret, so it is never stored, not even for an idempotent replay. */
  secret?: boolean
  /** `run` returns the same object for the same result, so its serialized bytes are cached per object. */
  stable?: boolean
  /** The input holds a guessable code: unknown codes are rate-limited on every route. */
  failureLimit?: boolean
  /**
   * For reading by a code that cannot be guessed: whether an unknown one counts toward the same limit. An existing one is never blocked: one
   * guest who guesses does not lock out the others at the same address.
   */
  countsMiss?(input: Static<I>): boolean
  rate?: Rate
  /** Pages, feeds and widgets call it for visitors, so `run` may get no caller. The API still demands `access`. */
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
   * Checks access, parses the input, runs, and projects the result onto the output schema. Doors call `invoke` instead, which
   * also limits guesses and handles the idempotency key.
   */
  run: (asking: Asking, raw: unknown, once?: RunOnce) => Static<O> | Promise<Static<O>>
}

// biome-ignore lint/suspicious/noExplicitAny: each action has its own input and output; `ResultOf` infers it.
export type AnyAction = Action<any, any>
export type ResultOf<A extends AnyAction> = Awaited<ReturnType<A['run']>>

/**
 * What callers may do, declared once. Routes, agent tools, pages, forms and commands bind the same action, so access, input and
 * rules cannot differ between them.
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
  const isInternal = output[Kind] === 'Any'
  // Keeps object identity, which the byte cache of stable results is keyed by.
  const shown = stable ? (perObject(checked as (result: object) => object) as typeof checked) : checked
  return {
    ...definition,
    secret,
    reads: definition.reads ?? access.startsWith('read:'),
    run: (asking, raw, once) => {
      // `demand` returns exactly the caller type that this access promises.
      const caller = demand(asking, access, openOnSite) as CallerFor<A, S>
      const input = parse(raw)
      const result = once
        ? once(secret, async () => definition.run(caller, input))
        : definition.run(caller, input)
      if (!(result instanceof Promise)) return shown(result)
      const held = config.mode === 'test' ? declaredErrors(definition, result, once !== undefined) : result
      return isInternal ? held : held.then(shown)
    },
  }
}
