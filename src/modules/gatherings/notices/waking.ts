import { zoneOf } from '@/web/when'

/** People are not woken: letters that can wait come from the morning until the evening, on their clocks. */
const MORNING = 8
const EVENING = 21

const hourOf = (at: Temporal.ZonedDateTime, hour: number) =>
  at.with({ hour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })

/**
 * The moment itself, or the one nearest to it at which people in a zone are up and that is not over yet: in the evening before the
 * night, or in the morning after it.
 */
export function wakingTime(at: Date, timezone: string | null, notBefore: Date): Date {
  const wanted = inZone(at, timezone)
  const found =
    wanted.hour < MORNING
      ? hourOf(wanted, MORNING)
      : wanted.hour >= EVENING
        ? hourOf(wanted, EVENING).subtract({ minutes: 30 })
        : wanted
  if (found.epochMilliseconds >= notBefore.getTime()) return new Date(found.epochMilliseconds)
  const earliest = inZone(notBefore, timezone)
  if (earliest.hour >= MORNING && earliest.hour < EVENING) return notBefore
  const day = earliest.hour < MORNING ? earliest : earliest.add({ days: 1 })
  return new Date(hourOf(day, MORNING).epochMilliseconds)
}

const inZone = (at: Date, timezone: string | null) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zoneOf(timezone))
