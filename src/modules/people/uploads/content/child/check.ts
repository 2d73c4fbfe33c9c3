import { stat } from 'node:fs/promises'
import { type ContentType, isPictureType } from '../content-types'
import type { Finding, Made, Order } from '../finding'
import { checkModel } from './model'
import { Refusal } from './refusal'
import { copy } from './save'
import { demandType } from './sniff'

/** Checks one file and writes the versions to serve at the given scratch paths. */
export async function check({ path, declared, scratch }: Order): Promise<Finding> {
  const type = declared.contentType as ContentType
  const { size } = await stat(path)
  if (size === 0) throw new Refusal('The file is empty.')
  if (size !== declared.size) throw new Refusal('The file does not have the size that was declared.')

  const nextPath = () => scratch.shift() as string
  // Always served as a download, so any content is allowed.
  if (type === 'application/octet-stream') return plain(type, await copy(path, nextPath(), type))

  const bytes = await Bun.file(path).bytes()
  demandType(bytes, type)
  if (isPictureType(type)) {
    // Loaded lazily: a missing decoder becomes an error, not a crash.
    const { makePicture } = await import('./picture')
    return makePicture(bytes, type, nextPath)
  }
  checkModel(bytes)
  return plain(type, await copy(path, nextPath(), type))
}

const plain = (type: ContentType, main: Made): Finding => ({
  ok: true,
  type,
  main,
  sizes: [],
  width: null,
  height: null,
})
