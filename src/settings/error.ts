/** A mistake of the operator's, in one sentence that says what to change. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export const unusable = (dataDir: string, error: unknown) =>
  new ConfigError(
    `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}): make it writable or set DATA_DIR to another folder.`,
  )
