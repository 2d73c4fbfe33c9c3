import type { EventView } from './view'

/**
 * The picture that is shown where a link to an event is shared. Whoever shows links keeps it by its address, which changes
 * with what the picture says.
 */
export function previewPath({
  id,
  title,
  dateTime,
  endTime,
  timezone,
  status,
  venue,
  group,
}: EventView['event']) {
  const said = JSON.stringify([title, dateTime, endTime, timezone, status, venue, group?.name])
  return `/events/${id}/preview.png?v=${Bun.hash(said).toString(36)}`
}
