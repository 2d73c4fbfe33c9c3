import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@/config/error'
import { writeOver } from '@/config/write-file'

type Settings = { secretKey: string; dataDir: string; databaseUrl: string | null }

/**
 * How to install the key of a backup, or a refusal: the backup's secrets are encrypted with it. For a new embedded database it
 * replaces the generated key; `replaced` is that file.
 */
export function keyOf(
  key: string,
  file: string,
  { secretKey, dataDir, databaseUrl }: Settings,
): { put: () => void; replaced: string | null } {
  if (key === secretKey) return { put: () => {}, replaced: null }
  const keyFile = join(dataDir, 'secret-key')
  if (databaseUrl === null && textOf(keyFile) === secretKey)
    return { put: () => writeOver(keyFile, `${key}\n`), replaced: keyFile }
  throw new ConfigError(
    `SECRET_KEY is not the key of this backup, which could not be read with it: set it to what "tar -xOf ${file} secret-key" prints.`,
  )
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
