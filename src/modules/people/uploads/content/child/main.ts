import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Answer, Order } from '../finding'
import { check } from './check'
import { Refusal } from './refusal'

// Runs as a process of its own: decoders of pictures are large programs in C that meet bytes of strangers here.

process.on('disconnect', () => process.exit())
yieldToOthers()
process.on('message', async (order: Order) => {
  process.send?.(await answer(order))
})

async function answer(order: Order): Promise<Answer> {
  try {
    return await check(order)
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message }
    return { ok: null, code: (error as { code?: string }).code ?? 'UNKNOWN' }
  }
}

/** Requests go before pictures; and should memory run out, the kernel takes this process and not the database. */
function yieldToOthers() {
  try {
    setPriority(19)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // A system without them does without.
  }
}
