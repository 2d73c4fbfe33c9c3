import { yieldToOthers } from '@/lifecycle/yield-to-others'
import type { Answer, Order } from '../content-types'
import { check } from './check'
import { Refusal } from './refusal'

// A separate process: image decoders are large C libraries that parse untrusted input here.

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
