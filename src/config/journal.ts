import { fstatSync } from 'node:fs'

type Output = { fd: number }

/** As journalctl -p counts them. */
const URGENCIES = { error: '<3>', warn: '<4>' }

/** The priority prefix of a line for systemd's journal, which strips it; empty for any other reader. */
export const urgencyOf = (level: string, { fd }: Output): string =>
  level in URGENCIES && isJournal(fd) ? URGENCIES[level as keyof typeof URGENCIES] : ''

const known = new Map<number, boolean>()

function isJournal(descriptor: number): boolean {
  const found = known.get(descriptor)
  if (found !== undefined) return found
  const is = process.env.JOURNAL_STREAM === placeOf(descriptor)
  known.set(descriptor, is)
  return is
}

function placeOf(descriptor: number): string {
  try {
    const { dev, ino } = fstatSync(descriptor)
    return `${dev}:${ino}`
  } catch {
    return 'closed'
  }
}
