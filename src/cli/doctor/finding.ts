import { reasonOf } from '@/core/reason'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'
import { explained } from '../explained'

export type Finding = {
  name: string
  state: 'ok' | 'warning' | 'wrong'
  found: string
  todo: string | null
}

export const ok = (name: string, found: string): Finding => ({ name, state: 'ok', found, todo: null })

export const warning = (name: string, found: string, todo: string): Finding => ({
  name,
  state: 'warning',
  found,
  todo,
})

export const wrong = (name: string, found: string, todo: string): Finding => ({
  name,
  state: 'wrong',
  found,
  todo,
})

/** Runs one check. A failed check is a finding too, and does not stop the others. Without its own `todo` the database failed. */
export async function looking(name: string, look: Look, todo?: string): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (todo === undefined) return [aboutDatabase(name, error)]
    const sentence = isStorageError(error) ? explained(error)?.error : undefined
    return [wrong(name, sentence ?? `It cannot be used: ${whyOf(error)}.`, todo)]
  }
}

export type Look = () => Finding[] | Promise<Finding[]>

const isStorageError = (error: unknown) => error instanceof StorageDown || error instanceof StorageFull

function aboutDatabase(name: string, error: unknown): Finding {
  const sentence = explained(error)?.error
  return sentence === undefined
    ? wrong(
        name,
        `It cannot be used: ${whyOf(error)}.`,
        'Look into the log of the server, and of PostgreSQL.',
      )
    : split(name, sentence)
}

export function whyOf(error: unknown): string {
  const { fault, code, reason } = reasonOf(error)
  return [reason ?? fault, code && `(${code})`].filter(Boolean).join(' ')
}

/** Operator messages have the form "<state>: <what to do>". */
export function split(name: string, sentence: string): Finding {
  const at = sentence.indexOf(': ')
  if (at < 0) return wrong(name, sentence, 'See docs/operations/daily.md.')
  const todo = sentence.slice(at + 2)
  return wrong(name, `${sentence.slice(0, at)}.`, todo.charAt(0).toUpperCase() + todo.slice(1))
}
