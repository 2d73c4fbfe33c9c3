import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ended, warmChild } from '@/lifecycle/warm-child'
import type { Answer, Declared, Finding, Order } from './content-types'

/** Limits per file. */
export const LIMITS = { memoryMb: 768, cpuSeconds: 30, clockSeconds: 120 }

export type Outcome = Answer | Ended

const inspector = warmChild<Order, Answer>(join(import.meta.dir, 'child/main.ts'))

export const askInspector = (order: Order, limits = LIMITS): Promise<Outcome> => inspector.ask(order, limits)

export const endInspector = inspector.end

/** For tests and benchmarks. */
export const inspectorPid = inspector.pid

/** The original, and two for each of five widths. */
const FILES_AT_MOST = 11

let last: Promise<unknown> = Promise.resolve()

/**
 * Checks a file against its declaration and generates the versions to serve. All slow or dangerous work runs in a child process,
 * one file at a time, with time and memory limits. Throws only if the machine is at fault and a retry makes sense.
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

/** Another cause may have killed the child, so the file is refused only if it happens twice. */
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
