/** Windows per kind. */
const WINDOWS_MAX = 100_000

export type Window = { used: number; resetAtMs: number; level: number }

/**
 * The windows of one kind, bounded. Callers may invent keys, so a full table evicts ended windows first and then the least
 * charged: fresh keys cannot push out an exhausted window.
 */
export function windowTable(max = WINDOWS_MAX) {
  const windows = new Map<string, Window>()
  /** Keys by charge count in powers of two; oldest first within a level. */
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

  function evict(at: number) {
    if (windows.size < max) return
    // A full scan, once per tenth of the windows opened since the last.
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
      evict(at)
      openedSinceSweep += 1
      const window = { used: 0, resetAtMs, level: 0 }
      windows.set(key, window)
      levelAt(0).add(key)
      return window
    },
  }
}

const levelOf = (used: number) => 32 - Math.clz32(used)
