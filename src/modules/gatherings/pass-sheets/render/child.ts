import { open } from 'node:fs/promises'
import { yieldToOthers } from '@/lifecycle/yield-to-others'
import { renderSheet, type SheetCell } from '@/modules/passes/sheets/render'
import { asStorageFailure } from '@/outbound/storage/local/write'
import { StorageFull } from '@/outbound/storage/storage'
import type { Drawn, FromChild, Heading, ToChild } from './messages'

// A separate process: a thousand badges take seconds, which would block requests.

const NAMES_MAX = 100
const CHARACTERS_MAX = 20

let heading: Heading | undefined
const cells: SheetCell[] = []

process.on('disconnect', () => process.exit())
yieldToOthers()
process.on('message', async (message: ToChild) => {
  if ('heading' in message) heading = message.heading
  else if ('cells' in message) cells.push(...message.cells)
  else if (heading) send(await draw(heading))
})

const send = (message: FromChild) => process.send?.(message)

async function draw({ byName: isByName, path, ...order }: Heading): Promise<FromChild> {
  try {
    const sorted = isByName ? byName(cells) : cells
    // Stickers show no names; they only set the order.
    const shown = order.kind === 'stickers' ? sorted.map((cell) => ({ ...cell, name: null })) : sorted
    const { bytes, pages, missing } = await renderSheet({ ...order, cells: shown }, progress())
    await write(path, bytes)
    return { drawn: { pages, missing: bounded(missing), size: bytes.byteLength } }
  } catch (error) {
    const { name, message } = error as Error
    return { failed: `${name}: ${message}`, isFull: asStorageFailure(error) instanceof StorageFull }
  }
}

/** Reports each percent once. */
function progress() {
  let last = -1
  return async (done: number, total: number) => {
    const percent = Math.floor((100 * done) / Math.max(total, 1))
    if (percent === last) return
    last = percent
    send({ done, total })
  }
}

async function write(path: string, bytes: Uint8Array) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

const bounded = (missing: Drawn['missing']): Drawn['missing'] =>
  missing
    .slice(0, NAMES_MAX)
    .map(({ name, characters }) => ({ name, characters: characters.slice(0, CHARACTERS_MAX) }))

const { compare } = new Intl.Collator('en')

/** Sorts by last name, then full name; stable. */
function byName(cells: readonly SheetCell[]): SheetCell[] {
  const keyed = cells.map((cell) => ({ cell, name: cell.name ?? '', last: lastWord(cell.name ?? '') }))
  keyed.sort((a, b) => compare(a.last, b.last) || compare(a.name, b.name))
  return keyed.map(({ cell }) => cell)
}

const lastWord = (name: string) => name.trim().split(/\s+/u).at(-1) ?? ''
