import type { TSchema } from '@sinclair/typebox'

/** Puts a result into its envelope; a page is one already. */
export function envelope(output: TSchema): (value: unknown) => unknown {
  const isPage = output.type === 'object' && 'pagination' in (output.properties ?? {})
  return isPage ? (value) => value : (data) => ({ data })
}
