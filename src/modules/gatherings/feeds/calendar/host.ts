import { config } from '@/config/config'
import { db } from '@/db/client'
import { keepCalendarHost } from '../queries'

let known: Promise<string> | undefined

/** The host in the names of entries, the same for ever: a server that has moved would double every entry otherwise. */
export function calendarHost(): Promise<string> {
  known ??= keepCalendarHost(db, new URL(config.baseUrl).host).catch((error) => {
    known = undefined
    throw error
  })
  return known
}
