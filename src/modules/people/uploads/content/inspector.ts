import { join } from 'node:path'
import { type Ended, warmChild } from '@/lifecycle/warm-child'
import type { Answer, Order } from './finding'

/** Bounds of the work on one file. */
export const LIMITS = { memoryMb: 768, cpuSeconds: 30, clockSeconds: 120 }

export type Outcome = Answer | Ended

const inspector = warmChild<Order, Answer>(join(import.meta.dir, 'child/main.ts'))

/** Has a child process check one file. */
export const askInspector = (order: Order, limits = LIMITS): Promise<Outcome> => inspector.ask(order, limits)

export const endInspector = inspector.end

/** The process that checks files now, for tests and measurements. */
export const inspectorPid = inspector.pid
