import { rm } from 'node:fs/promises'
import { now } from '@/core/clock'
import { AppError, badRequest, gone, notFound } from '@/core/errors'
import { failpoint } from '@/core/failpoint'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { storage } from '@/outbound/storage/current'
import { asStorageFailure } from '@/outbound/storage/local/failures'
import { broadcast } from '@/outbox/broadcast'
import { explainStorage } from '../failures'
import { incomingName } from '../objects'
import { findToReceive, markReceived, type UploadRow } from '../queries'
import { demandRoomInStorage } from '../room'
import { openAddress, type Terms } from '../where-to-send'

/** One sender at a time: many at one address could fill the disk with what only one of them may leave there. */
const underWay = new Set<string>()

/** Takes in the bytes for an address of ours, whole or not at all, and hands them to the worker. */
export async function receive(
  token: string,
  request: Request,
  /** Called before the worker can have heard of it. */
  onWhole: (upload: UploadRow) => void,
): Promise<UploadRow> {
  const terms = openAddress(token)
  if (!terms) throw notFound('Upload address')
  demandAsDeclared(terms, request.headers)
  if (underWay.has(terms.id)) throw beingSent()
  underWay.add(terms.id)
  try {
    const upload = await demandOpen(terms)
    await demandRoomInStorage(terms.size)
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

/** The address ends with its time, with the file, and with the credential and the person who asked for it. */
async function demandOpen({ id, expiresAt }: Terms): Promise<UploadRow> {
  if (expiresAt <= now()) throw gone('This address has expired: ask for a new one')
  const found = await findToReceive(db, id)
  if (!found?.hasAsker) throw ended()
  if (found.upload.state === 'removed') throw used()
  return found.upload
}

/** A connection that died without a word is noticed after half a minute. */
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
 * The bytes are durable before the row says so: a crash in between leaves an object that no row names, and the sweep finds it. An
 * address is used once, but a sender whose answer was lost may send the same bytes again.
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
    // Sending takes its time: the address may have ended meanwhile, or another sender may have been faster.
    if ((await demandOpen(terms)).sentSha256 !== sha256) throw used()
  } finally {
    await rm(path, { force: true })
  }
}

/** Says whether this was the first file for the address. */
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
 * Writes a body into a new file as it comes. It is handed over whole to the runtime, which takes from the socket what it
 * has written: a hundred senders cost as little memory as one, which a loop over the parts does not achieve. Anything but
 * the exact length leaves no file. Gives the hash of what was written.
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
