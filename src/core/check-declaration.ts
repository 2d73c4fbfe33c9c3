import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ErrorCode, isAppError } from './errors'

/**
 * What tests hold every action to. In production an answer of another type, or a refusal that the documentation does not
 * know of, is no reason to fail.
 */
export function checkedOutput<T>(output: TSchema, project: (result: T) => T): (result: T) => T {
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

export const declaredErrors = <T>(
  { name, errors }: Declared,
  result: Promise<T>,
  hasKey: boolean,
): Promise<T> =>
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
