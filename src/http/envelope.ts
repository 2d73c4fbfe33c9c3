import type { TSchema } from '@sinclair/typebox'

/** Wraps a result in `{data}`; a page already has it. */
export function envelope(output: TSchema): (value: unknown) => unknown {
  const isPage = output.type === 'object' && 'pagination' in (output.properties ?? {})
  return isPage ? (value) => value : (data) => ({ data })
}
