import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@/config/error'
import { writeOver } from '@/config/write-file'

type Settings = { secretKey: string; dataDir: string; databaseUrl: string | null }

/**
 * The way to put the key of a backup in place, or a refusal: what the backup holds was closed with it. Beside a new
 * embedded database it takes the place of the one that was made for it; `replaced` is that file.
 */
export function keyOf(
  key: string,
  file: string,
  { secretKey, dataDir, databaseUrl }: Settings,
): { put: () => void; replaced: string | null } {
  if (key === secretKey) return { put: () => {}, replaced: null }
  const kept = join(dataDir, 'secret-key')
  if (databaseUrl === null && textOf(kept) === secretKey)
    return { put: () => writeOver(kept, `${key}\n`), replaced: kept }
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
