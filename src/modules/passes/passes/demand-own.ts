import { notFound } from '@/core/errors'
import { passIdOf } from './id'

export const noSuchPass = () => notFound('Pass')

/** A malformed id answers 404. */
export function demandPassId(text: string): string {
  const id = passIdOf(text)
  if (id === undefined) throw noSuchPass()
  return id
}

/** Blank tags and other people's passes answer 404, like missing ones. */
export function demandOwn<T>(found: T | undefined): T {
  if (found === undefined) throw noSuchPass()
  return found
}
