import { rm } from 'node:fs/promises'
import { now } from '@/core/clock'
import { AppError, badRequest, gone, notFound } from '@/core/errors'
import { failpoint } from '@/core/failpoint'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { storage } from '@/outbound/storage/current'
import { asStorageFailure } from '@/outbound/storage/local/write'
import { broadcast } from '@/outbox/broadcast'
import { demandFreeSpace, explainStorage } from '../failures'
import { incomingName } from '../key'
import { findToReceive, markReceived, type UploadRow } from '../queries'
import { readUploadUrl, type Terms } from '../upload-url'

/** One sender per upload: many could fill the disk, though only one may finish. */
const underWay = new Set<string>()

/** Receives a file, all or nothing, and hands it to the worker. */
export async function receive(
  token: string,
  request: Request,
  /** Called before the worker can see the file. */
  onWhole: (upload: UploadRow) => void,
): Promise<UploadRow> {
  const terms = readUploadUrl(token)
  if (!terms) throw notFound('Upload address')
  demandAsDeclared(terms, request.headers)
  if (underWay.has(terms.id)) throw beingSent()
  underWay.add(terms.id)
  try {
    const upload = await demandOpen(terms)
    await demandFreeSpace(terms.size)
    await keep(terms, upload, request, () => onWhole(upload))
    return upload
  } finally {
    underWay.delete(terms.id)
  }
}

function demandAsDeclared({ size, contentType }: Terms, headers: Headers) {
  if (headers.get('content-type')?.trim().toLowerCase() !== contentType)
    throw badRequest(`Send it with Content-Type: ${contentType}, as declared`)
  if (headers.get('content-length') !== String(size))
    throw badRequest(`Send exactly the ${size} bytes that were declared, with Content-Length`)
  if (headers.has('content-encoding')) throw badRequest('Send it as it is, without Content-Encoding')
}

/** The URL ends with its expiry, its file, its credential and its user. */
async function demandOpen({ id, expiresAt }: Terms): Promise<UploadRow> {
  if (expiresAt <= now()) throw gone('This address has expired: ask for a new one')
  const found = await findToReceive(db, id)
  if (!found?.hasCredential) throw ended()
  if (found.upload.state === 'removed') throw used()
  return found.upload
}

/** A dead connection is noticed after half a minute. */
const beingSent = () =>
  new AppError(
    'conflict',
    'This file is being sent already: try again in half a minute, or ask for a new address',
    {
      'retry-after': '30',
    },
  )

const ended = () => gone('This address has ended: ask for a new one')
const used = () => gone('This address was used already: ask for a new one')

/**
 * The bytes are durable before the row says so: a crash in between leaves an orphan for the sweep. A URL works once, but a sender
 * who missed the response may send the same bytes again.
 */
async function keep(
  terms: Terms,
  { state }: UploadRow,
  request: Request,
  onWhole: () => void,
): Promise<void> {
  const path = await Promise.try(storage.scratch).catch(explainStorage)
  try {
    const sha256 = await writeExactly(path, request, terms.size)
    failpoint('after-receive')
    if (state === 'requested' && (await handOver(terms.id, path, sha256, onWhole))) return
    onWhole()
    // Sending takes time: the URL may have expired, or another sender may have finished first.
    if ((await demandOpen(terms)).sentSha256 !== sha256) throw used()
  } finally {
    await rm(path, { force: true })
  }
}

/** Returns whether this was the first file for the URL. */
async function handOver(id: string, path: string, sha256: string, onWhole: () => void): Promise<boolean> {
  const incoming = crypto.randomUUID()
  await storage.adopt(incomingName(incoming), path).catch(explainStorage)
  failpoint('after-keep')
  onWhole()
  const isOurs = await transaction(async (tx) => {
    const isFirst = await markReceived(tx, id, incoming, sha256)
    if (isFirst) broadcast(tx, { type: 'upload.received', data: {} })
    return isFirst
  })
  if (!isOurs) await storage.remove(incomingName(incoming)).catch(explainStorage)
  return isOurs
}

/**
 * Streams the body to a new file. The runtime gets the whole body and applies backpressure, so a hundred senders cost as little
 * memory as one; a loop over chunks does not. Any other length leaves no file. Returns the hash.
 */
async function writeExactly(path: string, request: Request, size: number): Promise<string> {
  try {
    const written = request.body === null ? 0 : await Bun.write(path, request as unknown as Response)
    if (written !== size) throw badRequest(`The body ended after ${written} of ${size} bytes`)
    const hash = new Bun.CryptoHasher('sha256')
    for await (const part of Bun.file(path).stream()) hash.update(part)
    return hash.digest('hex')
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    if ((error as Error).name === 'AbortError') throw badRequest('The connection ended before the body did')
    return explainStorage(asStorageFailure(error))
  }
}
