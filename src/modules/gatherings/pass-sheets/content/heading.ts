import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { db } from '@/db/client'
import type { SheetRow } from '../queries'
import type { Heading } from '../render/messages'
import { findSheetEvent } from './queries'

export async function headingOf(
  { kind, paper, startAt, sort }: SheetRow,
  eventId: string,
  path: string,
): Promise<Heading> {
  const found = await findSheetEvent(db, eventId)
  if (!found) throw notFound('Event')
  const { title, group, startTime, timezone } = found
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: timezone }).format(startTime)
  const subtitle = `${group} · ${day}`
  return { kind, paper, startAt, title, subtitle, siteName: config.siteName, byName: sort === 'name', path }
}
