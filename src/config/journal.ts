import { fstatSync } from 'node:fs'

/** Standard output, or standard error. */
type Output = { fd: number }

/** As journalctl -p counts them. */
const URGENCIES = { error: '<3>', warn: '<4>' }

/**
 * What a line begins with for systemd's journal to know how urgent it is; nothing where somebody else reads it. The journal takes
 * it off again.
 */
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
