import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ended, warmChild } from '@/lifecycle/warm-child'
import type { Answer, Declared, Finding, Order } from './finding'

/** Bounds of the work on one file. */
export const LIMITS = { memoryMb: 768, cpuSeconds: 30, clockSeconds: 120 }

export type Outcome = Answer | Ended

const inspector = warmChild<Order, Answer>(join(import.meta.dir, 'child/main.ts'))

/** Has a child process check one file. */
export const askInspector = (order: Order, limits = LIMITS): Promise<Outcome> => inspector.ask(order, limits)

export const endInspector = inspector.end

/** The process that checks files now, for tests and measurements. */
export const inspectorPid = inspector.pid

/** The file itself, and two for each of five widths. */
const FILES_AT_MOST = 11

let last: Promise<unknown> = Promise.resolve()

/**
 * Checks a file against what was declared, and makes what will be served: scrubbed and in all sizes. Everything slow or
 * dangerous happens in a child process, one file at a time, which is ended over a time or a memory. Throws only when
 * the machine is at fault, and the file may be checked again later.
 */
export function inspect(path: string, declared: Declared, scratch: () => string): Promise<Finding> {
  const order = { path, declared, scratch: Array.from({ length: FILES_AT_MOST }, scratch) }
  const found = last.then(() => carryOut(order))
  last = found.catch(() => {})
  return found
}

async function carryOut(order: Order): Promise<Finding> {
  let kept: string[] = []
  try {
    const finding = judge(await ask(order))
    if (finding.ok) kept = [finding.main, ...finding.sizes].map(({ path }) => path)
    return finding
  } finally {
    const rest = order.scratch.filter((path) => !kept.includes(path))
    await Promise.all(rest.map((path) => rm(path, { force: true })))
  }
}

/** Whatever ended the child need not have been this file, so it counts only when it happens again. */
async function ask(order: Order): Promise<Outcome> {
  const outcome = await askInspector(order)
  const isCrash = 'ended' in outcome && (outcome.ended === 'crash' || outcome.ended === 'killed')
  return isCrash ? askInspector(order) : outcome
}

function judge(outcome: Outcome): Finding {
  if ('ended' in outcome) {
    const { ended } = outcome
    if (ended === 'clock' || ended === 'killed') throw new Error(`The check of a file was ended: ${ended}`)
    return { ok: false, reason: REASONS[ended] }
  }
  if (outcome.ok === null)
    throw Object.assign(new Error('A file could not be checked'), { code: outcome.code })
  return outcome
}

const REASONS = {
  crash: 'The file is damaged: it cannot be read.',
  time: 'The file takes too long to read.',
  memory: 'The file takes too much memory to read.',
}
