import { wrongOwner } from '@/config/owner'

/** The message is one sentence for the operator. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export function explainFileError(error: unknown, dataDir: string): unknown {
  const code = errorCode(error)
  const path = String((error as { path?: unknown } | undefined)?.path ?? dataDir)
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const notOurs = wrongOwner(dataDir, path)
    return new EmbeddedPostgresError(
      notOurs ??
        `The data folder ${dataDir} cannot be used (${code} at ${path}): ` +
          'make it writable for the user that runs the server, or choose another data folder.',
    )
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be created because a file stands in its way: ` +
        'remove that file or choose another data folder.',
    )
  }
  return error
}

export function diskFull(dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The disk of the data folder ${dataDir} is full: free at least 100 MB and start again.`,
  )
}

export function isAboutSpace(output: string): boolean {
  return /No space left on device|Disk quota exceeded/.test(output)
}

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}

/** The lines of PostgreSQL output with errors, joined. */
export function meaningfulLines(output: string): string {
  const lines = output
    .split('\n')
    .map(withoutPrefix)
    .filter((line) => line && !line.startsWith('LOG:'))
  const relevant = lines.filter((line) => /(FATAL|PANIC|error|ERROR):/.test(line))
  return (relevant.length > 0 ? relevant.slice(-2) : lines.slice(-3)).join(' / ')
}

function withoutPrefix(line: string): string {
  const text = line.replace(/^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[\d+\] /, '')
  return text.replace(/\s+/g, ' ').trim()
}
