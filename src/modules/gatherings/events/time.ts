const HOUR_MS = 3_600_000

/** An event without an end is over three hours after its start. */
export const overAt = (startTime: Date, endTime: Date | null) =>
  endTime ?? new Date(startTime.getTime() + 3 * HOUR_MS)

export const isOver = (event: { overAt: Date }, at: Date) => event.overAt <= at

/** ISO 8601, in hours and minutes: days differ in length where clocks are changed. */
export function duration(startTime: Date, endTime: Date | null): string | null {
  if (endTime === null) return null
  const minutes = Math.round((endTime.getTime() - startTime.getTime()) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `PT${hours ? `${hours}H` : ''}${rest || !hours ? `${rest}M` : ''}`
}
