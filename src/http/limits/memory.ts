import { nowMs } from '@/core/clock'
import type { Budget, Limiter, Verdict } from './limiter'

const WINDOWS_MAX = 100_000

type Window = { used: number; resetAtMs: number }

/** Exact within one process. */
export function memoryLimiter() {
  const windows = new Map<string, Window>()

  function hit({ key, limit, windowMs }: Budget, cost: number): Verdict {
    const at = nowMs()
    let window = windows.get(key)
    if (window === undefined || window.resetAtMs <= at) {
      if (cost === 0) return { allowed: true, limit, remaining: limit, resetAtMs: at + windowMs }
      window = open(key, 0, at + windowMs)
    }
    const allowed = window.used + cost <= limit
    if (allowed) window.used += cost
    return { allowed, limit, remaining: Math.max(0, limit - window.used), resetAtMs: window.resetAtMs }
  }

  function open(key: string, used: number, resetAtMs: number): Window {
    const window = { used, resetAtMs }
    windows.delete(key)
    // The oldest window goes first: it is the one that ends first.
    if (windows.size >= WINDOWS_MAX) windows.delete(windows.keys().next().value as string)
    windows.set(key, window)
    return window
  }

  return {
    hit,
    /** Takes over what another limiter counted, to carry on from there. */
    learn(key: string, used: number, resetAtMs: number) {
      const window = windows.get(key)
      if (window === undefined) open(key, used, resetAtMs)
      else {
        window.used = used
        window.resetAtMs = resetAtMs
      }
    },
  } satisfies Limiter & { learn: unknown }
}
