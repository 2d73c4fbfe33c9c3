import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { canSendMail } from '@/outbound/mail/send'
import { providers } from './providers/definitions'

export const canSignIn = (): boolean => canSendMail() || providers.size > 0

export const sessionOf = ({ visitor }: Visit): Caller | undefined =>
  typeof visitor === 'object' && visitor.credential.kind === 'session' ? visitor : undefined
