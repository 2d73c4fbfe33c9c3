const HOUR_MS = 3_600_000

export const overAt = (startTime: Date, endTime: Date | null) =>
  endTime ?? new Date(startTime.getTime() + 3 * HOUR_MS)

export const isOver = (event: { overAt: Date }, at: Date) => event.overAt <= at

/** ISO 8601 in hours and minutes: days vary in length when clocks change. */
export function duration(startTime: Date, endTime: Date | null): string | null {
  if (endTime === null) return null
  const minutes = Math.round((endTime.getTime() - startTime.getTime()) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `PT${hours ? `${hours}H` : ''}${rest || !hours ? `${rest}M` : ''}`
}
