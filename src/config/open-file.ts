import { statSync } from 'node:fs'

/** The mode of a file that all local users can read; undefined if it is closed or missing. */
export function openMode(path: string): number | undefined {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return (mode & 0o007) === 0 ? undefined : mode
}
