import { feedEvent } from './fixtures'

/** Zones whose clocks are set forward and back by all kinds of laws, half and quarter hours, both hemispheres, and some that stopped. */
export const ZONES = [
  ...['Africa/Cairo', 'Africa/Casablanca', 'Africa/Johannesburg', 'Africa/Monrovia', 'Africa/Windhoek'],
  ...['America/Anchorage', 'America/Argentina/Buenos_Aires', 'America/Asuncion', 'America/Caracas'],
  ...['America/Chicago', 'America/Havana', 'America/Los_Angeles', 'America/Mexico_City', 'America/New_York'],
  ...['America/Nuuk', 'America/Phoenix', 'America/Santiago', 'America/Sao_Paulo', 'America/St_Johns'],
  ...['Antarctica/Troll', 'Asia/Amman', 'Asia/Beirut', 'Asia/Gaza', 'Asia/Jerusalem', 'Asia/Kathmandu'],
  ...['Asia/Kolkata', 'Asia/Pyongyang', 'Asia/Tehran', 'Asia/Tokyo', 'Atlantic/Azores', 'Australia/Adelaide'],
  ...['Australia/Lord_Howe', 'Australia/Sydney', 'Europe/Berlin', 'Europe/Dublin', 'Europe/Istanbul'],
  ...['Europe/Lisbon', 'Europe/London', 'Europe/Moscow', 'Europe/Volgograd', 'Pacific/Apia'],
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Easter', 'Pacific/Fiji', 'Pacific/Norfolk'],
]

const MINUTE_MS = 60_000

/** When clocks were set otherwise in some years, found by looking at them every few days: not by what the renderer asks. */
export function changesOf(zone: string, fromYear: number, toYear: number): number[] {
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const offset = (at: number) => clock.format(at).split(', ')[1] as string
  const changes: number[] = []
  const [first, last, step] = [Date.UTC(fromYear, 0, 1), Date.UTC(toYear, 11, 31), 5 * 86_400_000]
  let held = offset(first)
  for (let at = first; at < last; at += step) {
    const next = offset(at + step)
    if (next === held) continue
    let [before, after] = [at, at + step]
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000
      if (offset(middle) === held) before = middle
      else after = middle
    }
    changes.push(after)
    held = next
  }
  return changes
}

/** Events that begin and end around these moments: at them, a second before, and hours to both sides. */
export const eventsAround = (zone: string, moments: number[]) =>
  moments.flatMap((moment) =>
    [-26 * 60, -125, -65, -1 / 60, 0, 1 / 60, 65, 125, 26 * 60].map((minutes, index) => {
      const startTime = new Date(moment + Math.round(minutes * MINUTE_MS))
      return feedEvent({
        timezone: zone,
        startTime,
        endTime: new Date(startTime.getTime() + (index % 2 ? 45 : 240) * MINUTE_MS),
      })
    }),
  )

export const secondsOf = (date: Date) => date.getTime() / 1000
