import { isPictureType, type PictureType } from '../../content-types'
import { blankJpeg } from '../blank/jpeg'
import { blankPng } from '../blank/png'
import { blankWebp } from '../blank/webp'
import { judgeHeader } from '../headers/judge'
import { Refusal } from '../refusal'
import { demandType } from '../sniff'
import type { Json, JsonObject } from './json'
import { at, listOf, whole } from './shape'

const KTX2 = 'ab4b5458203230bb0d0a1a0a'

/** Checks embedded images and zeroes their metadata in place: a texture may be a private photo. */
export function checkImages(model: JsonObject, binary: Uint8Array | null) {
  const views = listOf(model, 'bufferViews')
  for (const { bufferView, mimeType } of listOf(model, 'images')) {
    const view = at(views, bufferView)
    const from = whole(view.byteOffset, 0)
    const picture = binary?.subarray(from, from + whole(view.byteLength))
    if (!picture || view.buffer !== 0 || !isSound(picture, mimeType))
      throw new Refusal('A picture inside the model is damaged, too large or of another type than it says.')
  }
}

function isSound(picture: Uint8Array, type: Json | undefined): boolean {
  if (type === 'image/ktx2') return Buffer.from(picture.subarray(0, 12)).toString('hex') === KTX2
  if (typeof type !== 'string' || !isPictureType(type) || type === 'image/gif') return false
  try {
    demandType(picture, type)
    if (judgeHeader(picture, type).frames > 1) return false
    blank(picture, type)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function blank(picture: Uint8Array, type: PictureType) {
  const bytes = new DataView(picture.buffer, picture.byteOffset, picture.byteLength)
  if (type === 'image/jpeg') blankJpeg(picture, bytes)
  if (type === 'image/png') blankPng(picture, bytes)
  if (type === 'image/webp') blankWebp(picture, bytes)
}
