import { canSendMail } from '@/outbound/mail/send'
import { providers } from './providers/definitions'

export const canSignIn = (): boolean => canSendMail() || providers.size > 0
