import { tooMuch } from '@/core/gate'

/** Feeds that are made for one address at once. */
const SHARE = 6

const making = new Map<string, number>()

/** Makes a feed for somebody, unless many are being made for them already: the line is everybody's. */
export async function withinShare<T>(who: string, make: () => T | Promise<T>): Promise<T> {
  const before = making.get(who) ?? 0
  if (before >= SHARE) throw tooMuch()
  making.set(who, before + 1)
  try {
    return await make()
  } finally {
    const now = (making.get(who) ?? 1) - 1
    if (now > 0) making.set(who, now)
    else making.delete(who)
  }
}
