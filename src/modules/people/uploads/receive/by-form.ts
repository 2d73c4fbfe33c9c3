import { rm } from 'node:fs/promises'
import { badRequest, gone } from '@/core/errors'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { readFileForm } from '@/http/file-form'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { storage } from '@/outbound/storage/current'
import { broadcast } from '@/outbox/broadcast'
import { subscribe } from '@/outbox/bus'
import { requestUpload } from '../actions'
import type { Category } from '../categories'
import { demandFreeSpace, explainStorage } from '../failures'
import { incomingName, keyOf, publicUrl } from '../key'
import { findUploadByKey, markReceived, type UploadRow } from '../queries'
import { BYTES_MAX } from '../schema'

/** Enough for most images; after that, people are asked to check back later. */
const WAIT_MS = 8000

/** Subscribes at once. Resolves when the check of this file ends, or on timeout. */
export function checkOf(key: string, waitMs = WAIT_MS): { ended: Promise<void>; stop(): void } {
  let stop = () => {}
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(() => stop(), waitMs)
    const unsubscribe = subscribe((messages) => {
      if (messages.some((message) => isAbout(message, key))) stop()
    })
    stop = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
  })
  return { ended, stop: () => stop() }
}

const isAbout = ({ type, data }: { type: string; data: object }, key: string) =>
  (type === 'upload.completed' || type === 'upload.refused' || type === 'upload.deleted') &&
  (data as { key: string }).key === key

type Received = { publicUrl: string; isChecked: boolean }

const FILENAME_MAX = 255

type Categories<Name extends string> = Readonly<Record<Name, Category>>

/**
 * Accepts files from an HTML form without script; `categories` names its file fields. They are declared like API uploads, so all
 * rules of `requestUpload` apply and the worker checks them. `demandOwn` gets the fields before each file.
 */
export async function receiveByForm<Name extends string>(
  visit: Visit,
  categories: Categories<Name>,
  demandOwn: (fields: URLSearchParams) => void,
): Promise<{ fields: URLSearchParams; pictures: Map<Name, Received>; refused: unknown }> {
  const names = Object.keys(categories) as Name[]
  await demandFreeSpace(Number(visit.request.headers.get('content-length')) || BYTES_MAX)
  const scratch = async (name: Name) => [name, await storage.scratch()] as const
  const paths = Object.fromEntries(await Promise.all(names.map(scratch)).catch(explainStorage)) as Record<
    Name,
    string
  >
  const accept = async (name: Name, { filename, contentType, size }: Declared): Promise<[Name, Received]> => {
    const category = categories[name]
    const { key } = await invoke(visit, requestUpload, () => ({
      ...{ category, contentType, size },
      filename: [...filename].slice(-FILENAME_MAX).join('') || category,
    }))
    const row = await findUploadByKey(db, key)
    if (row === undefined) throw ended()
    return [name, await handOver(row, paths[name])]
  }
  try {
    const terms = { paths, bytesMax: BYTES_MAX, onFile: demandOwn }
    const { fields, files } = await readFileForm(visit.request, terms)
    const accepted = await Promise.allSettled([...files].map(([name, file]) => accept(name, file)))
    return {
      fields,
      pictures: new Map(accepted.filter((one) => one.status === 'fulfilled').map(({ value }) => value)),
      refused: accepted.find((one) => one.status === 'rejected')?.reason,
    }
  } finally {
    for (const path of Object.values<string>(paths)) await rm(path, { force: true }).catch(() => {})
  }
}

type Declared = { filename: string; contentType: string; size: number }

const ended = () => gone('The file was deleted while it was checked')

/** The bytes are durable before the row says so, as in `receive`. */
async function handOver({ id, key, incoming }: UploadRow, path: string): Promise<Received> {
  const name = incoming ?? crypto.randomUUID()
  await storage.adopt(incomingName(name), path).catch(explainStorage)
  const check = checkOf(key)
  try {
    const isTaken = await transaction(async (tx) => {
      const isFirst = await markReceived(tx, id, name)
      if (isFirst) broadcast(tx, { type: 'upload.received', data: {} })
      return isFirst
    })
    if (isTaken) await check.ended
  } finally {
    check.stop()
  }
  const row = await findUploadByKey(db, key)
  if (row === undefined || row.state === 'removed') throw ended()
  if (row.state === 'refused') throw badRequest(row.reason ?? 'The file was refused')
  return { publicUrl: publicUrl(key), isChecked: row.state === 'ready' }
}

/** Waits for the check of a file from an earlier form; returns whether it has ended. */
export async function isCheckedByNow(address: string): Promise<boolean> {
  const key = keyOf(address)
  if (key === undefined) return true
  const check = checkOf(key)
  const isPending = async () => (await findUploadByKey(db, key))?.state === 'received'
  try {
    if (await isPending()) await check.ended
  } finally {
    check.stop()
  }
  return !(await isPending())
}
