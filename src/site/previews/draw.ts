import { join } from 'node:path'
import { unavailable } from '@/core/errors'
import { gate } from '@/core/gate'
import { log } from '@/core/log'
import { type Ended, warmChild } from '@/lifecycle/warm-child'
import type { PreviewAnswer, PreviewOrder } from './order'

const LIMITS = { memoryMb: 512, cpuSeconds: 10, clockSeconds: 10 }

const painter = warmChild<PreviewOrder, PreviewAnswer>(join(import.meta.dir, 'child/main.ts'))
/** Link preview services request a few pictures at a time. */
const oneAtATime = gate({ atOnce: 1, waitingMax: 30, patienceMs: 8000 })

export const drawPreview = (order: PreviewOrder): Promise<Uint8Array> =>
  oneAtATime(async () => {
    let answer = await painter.ask(order, LIMITS)
    // Something else may have killed the child, so one retry.
    if (isCrash(answer)) answer = await painter.ask(order, LIMITS)
    if ('png' in answer) return Buffer.from(answer.png, 'base64')
    log.warn('a preview could not be drawn', { reason: 'failed' in answer ? answer.failed : answer.ended })
    throw unavailable()
  })

const isCrash = (answer: PreviewAnswer | Ended) =>
  'ended' in answer && (answer.ended === 'crash' || answer.ended === 'killed')

export const { end: endPainter, pid: painterPid, isBusy: isPainting } = painter
