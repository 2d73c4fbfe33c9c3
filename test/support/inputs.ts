import { Kind, type TSchema } from '@sinclair/typebox'
import type { Action } from '@/core/action'

export type Input = Record<string, unknown>

/** What fields of that name are given, one after the other. */
export type Values = Record<string, unknown[]>

const NOBODY = '01890000-0000-7000-8000-000000000000'

/** An action's input, once for every name that its required fields may have, and for each with every further field. */
export function inputsOf(action: Action, values: Values): Input[] {
  const fields = Object.entries(action.input.properties)
  const required = new Set(action.input.required ?? [])
  const hasDefault = (schema: TSchema) => schema.default !== undefined
  const named = fields
    .filter(([name, schema]) => required.has(name) && !hasDefault(schema))
    .reduce<Input[]>(
      (inputs, [name, schema]) =>
        inputs.flatMap((input) =>
          choices(name, schema, values, [NOBODY]).map((value) => ({ ...input, [name]: value })),
        ),
      [{}],
    )
  const further = fields
    .filter(([name, schema]) => !required.has(name) || hasDefault(schema))
    .flatMap(([name, schema]) => choices(name, schema, values, []).map((value) => ({ [name]: value })))
  return named.flatMap((input) => [{}, ...further].map((more) => ({ ...input, ...more })))
}

function choices(name: string, schema: TSchema, values: Values, otherwise: unknown[]): unknown[] {
  const members: TSchema[] = schema[Kind] === 'Union' ? schema.anyOf : []
  const words = members.filter((member) => member[Kind] === 'Literal').map((member) => member.const)
  return words.length > 0 ? words : (values[name] ?? otherwise)
}
