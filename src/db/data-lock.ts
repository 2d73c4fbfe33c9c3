import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class DataFolderInUse extends Error {
  override name = 'ConfigError'
}

/** One server per data folder. The lock of a process that died is taken over. */
export function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, 'server.lock')
  mkdirSync(dataDir, { recursive: true })
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(file, `${process.pid} ${birthOf(process.pid)}`, { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error
      const [pid = 0, birth = ''] = readFileSync(file, 'utf8')
        .split(' ')
        .map((part, i) => (i === 0 ? Number(part) : part)) as [number, string]
      if (isAlive(pid) && birthOf(pid) === birth)
        throw new DataFolderInUse(
          `Folkmoot already runs on the data folder ${dataDir} (process ${pid}): stop it, or set DATA_DIR to another folder.`,
        )
      rmSync(file, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, so that a number that was given again is not taken for the old process. */
function birthOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
