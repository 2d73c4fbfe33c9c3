import { nowMs } from '@/core/clock'
import type { Budget, Limiter, Try, Verdict } from './limiter'

/** Of each kind: keys of one kind may be a caller's to choose, and must not push out those of another. */
const WINDOWS_MAX = 100_000

type Window = { used: number; resetAtMs: number }

/** Exact within one process. */
export function memoryLimiter() {
  const kinds = new Map<string, Map<string, Window>>()

  function windowsOf(key: string): Map<string, Window> {
    const kind = key.slice(0, key.indexOf(':'))
    const known = kinds.get(kind)
    if (known) return known
    const windows = new Map<string, Window>()
    kinds.set(kind, windows)
    return windows
  }

  function hit({ key, limit, windowMs }: Budget, cost: number): Verdict {
    const at = nowMs()
    let window = windowsOf(key).get(key)
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
    const windows = windowsOf(key)
    windows.delete(key)
    // The oldest window goes first: those of a kind are of one length, so it is the one that ends first.
    if (windows.size >= WINDOWS_MAX) windows.delete(windows.keys().next().value as string)
    windows.set(key, window)
    return window
  }

  const running = new Map<string, number>()

  function begin(budget: Budget): Try {
    const { key } = budget
    const seen = hit(budget, 0)
    const others = running.get(key) ?? 0
    const allowed = others < seen.remaining
    if (allowed) running.set(key, others + 1)
    return {
      verdict: { ...seen, allowed },
      running: others,
      end(failed) {
        if (failed) hit(budget, 1)
        const left = (running.get(key) ?? 0) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      },
    }
  }

  return {
    hit,
    begin,
    /** Takes over what another limiter counted, to carry on from there. */
    learn(key: string, used: number, resetAtMs: number) {
      const window = windowsOf(key).get(key)
      if (window === undefined) open(key, used, resetAtMs)
      else {
        window.used = used
        window.resetAtMs = resetAtMs
      }
    },
  } satisfies Limiter & { learn: unknown }
}
