import { rm } from 'node:fs/promises'
import { ago } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { storage } from './current'

/** No file takes this long to write. */
export const LEFTOVER_MS = 60 * 60_000

export const storageArea = {
  sweeps: [
    sweep({
      name: 'scratch files',
      async run() {
        for (const { path } of await storage.leftovers(ago(LEFTOVER_MS))) await rm(path, { force: true })
      },
    }),
  ],
}
