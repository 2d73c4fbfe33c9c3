import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closedDataFolder } from '@/settings/data-folder'
import { ConfigError, unusable } from '@/settings/error'

/** One server per data folder. The lock of a process that died is taken over. */
export function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, 'server.lock')
  try {
    closedDataFolder(dataDir)
    if (!take(file)) {
      const [pid = '', birth = ''] = readFileSync(file, 'utf8').split(' ')
      if (isAlive(Number(pid)) && birthOf(Number(pid)) === birth) throw inUse(dataDir, pid)
      rmSync(file, { force: true })
      if (!take(file)) throw inUse(dataDir, 'just started')
    }
  } catch (error) {
    throw error instanceof ConfigError ? error : unusable(dataDir, error)
  }
  return () => rmSync(file, { force: true })
}

const inUse = (dataDir: string, pid: string) =>
  new ConfigError(
    `Folkmoot already runs on the data folder ${dataDir} (process ${pid}): stop it, or set DATA_DIR to another folder.`,
  )

function take(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${birthOf(process.pid)}`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return statusOf(pid)[0] !== 'Z'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, so that a number that was given again is not taken for the old process. */
const birthOf = (pid: number) => statusOf(pid)[19] ?? ''

/** What the kernel says of a process after its name; nothing where there is no /proc. */
function statusOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}
