import { statSync } from 'node:fs'

/** The mode of a file that everybody on this machine can read; undefined for one that is closed to them, or is not there. */
export function openMode(path: string): number | undefined {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return (mode & 0o007) === 0 ? undefined : mode
}
