/** Windows of each kind. */
const WINDOWS_MAX = 100_000

export type Window = { used: number; resetAtMs: number; level: number }

/**
 * The windows of one kind, a bounded number of them. Their keys may be a caller's to invent, so where a new one finds
 * no room, those that have ended go first and then whichever was charged least: a window that is used up cannot be
 * pushed out by a crowd of fresh ones.
 */
export function windowTable(max = WINDOWS_MAX) {
  const windows = new Map<string, Window>()
  /** Keys by how often their window was charged, each level twice the one before; the oldest of a level comes first. */
  const levels: Set<string>[] = []
  let openedSinceSweep = 0

  const levelAt = (level: number) => {
    levels[level] ??= new Set()
    return levels[level]
  }

  function remove(key: string, { level }: Window) {
    windows.delete(key)
    levelAt(level).delete(key)
  }

  function makeRoom(at: number) {
    if (windows.size < max) return
    // A scan of all windows, once for each tenth of them that was opened since the last.
    if (openedSinceSweep * 10 >= max) {
      openedSinceSweep = 0
      for (const [key, window] of windows) if (window.resetAtMs <= at) remove(key, window)
      if (windows.size < max) return
    }
    for (const keys of levels) for (const key of keys ?? []) return remove(key, windows.get(key) as Window)
  }

  function use(key: string, window: Window, used: number) {
    window.used = used
    const level = levelOf(used)
    if (level === window.level) return
    levelAt(window.level).delete(key)
    levelAt(level).add(key)
    window.level = level
  }

  return {
    find: (key: string) => windows.get(key),
    use,
    open(key: string, resetAtMs: number, at: number): Window {
      const known = windows.get(key)
      if (known) remove(key, known)
      makeRoom(at)
      openedSinceSweep += 1
      const window = { used: 0, resetAtMs, level: 0 }
      windows.set(key, window)
      levelAt(0).add(key)
      return window
    },
  }
}

const levelOf = (used: number) => 32 - Math.clz32(used)
