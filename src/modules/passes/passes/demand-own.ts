import { notFound } from '@/core/errors'
import { passIdOf } from './id'

export const noSuchPass = () => notFound('Pass')

/** The id that a caller names; a text that cannot be one names a pass that is not there. */
export function demandPassId(text: string): string {
  const id = passIdOf(text)
  if (id === undefined) throw noSuchPass()
  return id
}

/** A pass of the caller. That of somebody else, and a blank tag, is the same 404 as none. */
export function demandOwn<T>(found: T | undefined): T {
  if (found === undefined) throw noSuchPass()
  return found
}
