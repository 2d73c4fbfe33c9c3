import { join } from 'node:path'
import { gate } from '@/core/gate'
import { warmChild } from '@/lifecycle/warm-child'
import type { PreviewAnswer, PreviewOrder } from './order'

const LIMITS = { memoryMb: 512, cpuSeconds: 20, clockSeconds: 60 }

const painter = warmChild<PreviewOrder, PreviewAnswer>(join(import.meta.dir, 'child/main.ts'))
/** Pictures are asked for by programs that show links, a few at a time. */
const oneAtATime = gate({ atOnce: 1, waitingMax: 30, patienceMs: 8000 })

export const drawPreview = (order: PreviewOrder): Promise<Uint8Array> =>
  oneAtATime(async () => {
    const answer = await painter.ask(order, LIMITS)
    if ('png' in answer) return Buffer.from(answer.png, 'base64')
    throw new Error(`A preview could not be drawn: ${'failed' in answer ? answer.failed : answer.ended}`)
  })

export const endPainter = painter.end
