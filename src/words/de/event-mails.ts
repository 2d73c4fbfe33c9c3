import type { eventMails as english } from '../en/event-mails'

export const eventMails: typeof english = {}
