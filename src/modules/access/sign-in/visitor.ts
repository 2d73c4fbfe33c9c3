import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'

export const sessionOf = ({ visitor }: Visit): Caller | undefined =>
  typeof visitor === 'object' && visitor.credential.kind === 'session' ? visitor : undefined
