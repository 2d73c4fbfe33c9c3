import { config } from '@/config/config'
import { db } from '@/db/client'
import { keepCalendarHost } from '../queries'

let known: Promise<string> | undefined

/** The host in UIDs never changes: after a move to another domain, new UIDs would duplicate every entry. */
export function calendarHost(): Promise<string> {
  known ??= keepCalendarHost(db, new URL(config.baseUrl).host).catch((error) => {
    known = undefined
    throw error
  })
  return known
}
