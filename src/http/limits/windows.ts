import { nowMs } from '@/core/clock'
import type { Budget, Verdict } from './limiter'

/** Addresses per generation. Beyond this the older generation is dropped early. */
const KEYS_MAX = 100_000

/**
 * At most `limit` hits in any interval of `windowMs`: stores the times of the last hits per key. Idle keys are dropped with their
 * generation.
 */
export function slidingTable(keysMax = KEYS_MAX) {
  let young = new Map<string, number[]>()
  let old = new Map<string, number[]>()
  let bornAt = 0

  function timesOf(key: string, windowMs: number, at: number): number[] {
    if (at - bornAt >= windowMs || young.size >= keysMax) {
      // After two idle windows neither generation counts.
      old = at - bornAt >= 2 * windowMs ? new Map() : young
      young = new Map()
      bornAt = at
    }
    let times = young.get(key)
    if (times === undefined) {
      times = old.get(key) ?? []
      young.set(key, times)
    }
    return times
  }

  return ({ key, limit, windowMs }: Budget): Verdict => {
    const at = nowMs()
    const times = timesOf(key, windowMs, at)
    while (times.length > 0 && (times[0] as number) + windowMs <= at) times.shift()
    const allowed = times.length < limit
    if (allowed) times.push(at)
    // The reset is when the oldest hit leaves the window.
    const resetAtMs = (times[0] as number) + windowMs
    return { allowed, limit, remaining: Math.max(0, limit - times.length), resetAtMs }
  }
}

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
