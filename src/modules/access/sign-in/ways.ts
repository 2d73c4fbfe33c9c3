import { canSendMail } from '@/outbound/mail/send'
import { providers } from './providers/definitions'

/** Whether the operator has set up any way to sign in. */
export const canSignIn = (): boolean => canSendMail() || providers.size > 0
