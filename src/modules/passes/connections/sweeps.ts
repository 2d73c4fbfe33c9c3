import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { forgetStrangers } from './forget-strangers'

const STRANGERS_DAYS = 90

export const connectionSweeps = [
  sweep({
    name: 'connections of strangers',
    keeps: { ms: STRANGERS_DAYS * DAY_MS, after: 'the tap of a stranger' },
    run: forgetStrangers,
  }),
]
