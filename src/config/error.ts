import { wrongOwner } from './owner'

/** An operator's mistake, in one sentence that says what to change. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export function unusable(dataDir: string, error: unknown): ConfigError {
  const { code = 'unknown error', path = dataDir } = error as NodeJS.ErrnoException
  const notOurs = code === 'EACCES' || code === 'EPERM' ? wrongOwner(dataDir, path) : undefined
  if (notOurs !== undefined) return new ConfigError(notOurs)
  return new ConfigError(
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `The disk of the data folder ${dataDir} is full: free at least 100 MB and start again.`
      : `The data folder ${dataDir} cannot be used (${code}): make it writable or set DATA_DIR to another folder.`,
  )
}
