import { lstatSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/**
 * Why this user may not use a place in the data folder, with the command that fixes it; undefined if the owner is right, so that
 * something else is wrong.
 */
export function wrongOwner(dataDir: string, path: string): string | undefined {
  const me = process.getuid?.()
  if (me === undefined || me === 0) return undefined
  const found = nearest(path)
  if (found === undefined || found.uid === me) return undefined
  const whose = `belongs to ${nameOf(found.uid)}, and this is run by ${nameOf(me)}`
  const isInside = !relative(dataDir, found.path).startsWith('..')
  return isInside
    ? `${found.path} ${whose}: as root, run "${chownCommand(dataDir)}" while no server runs on it.`
    : `The data folder ${dataDir} cannot be made, because ${found.path} ${whose}: as root, run "install -d -m 0700 -o ${me} -g ${process.getgid?.()} ${dataDir}".`
}

/** The command by which root gives folders to the user of this process. */
export const chownCommand = (...folders: string[]) =>
  `chown -R ${process.getuid?.()}:${process.getgid?.()} ${folders.join(' ')}`

/** The user name, or the id. */
export function nameOf(uid: number): string {
  const name = passwd()
    .find((line) => line.split(':')[2] === String(uid))
    ?.split(':')[0]
  return name ? `${name} (user id ${uid})` : `user id ${uid}`
}

function passwd(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    return []
  }
}

/** The place, or its nearest visible parent. */
function nearest(path: string): { path: string; uid: number } | undefined {
  try {
    return { path, uid: lstatSync(path).uid }
  } catch {
    return dirname(path) === path ? undefined : nearest(dirname(path))
  }
}
