import type { PictureType } from '../../content-types'
import { DAMAGED, Refusal } from '../refusal'
import { gifHeader } from './gif'
import type { Header } from './header'
import { jpegHeader } from './jpeg'
import { pngHeader } from './png'
import { webpHeader } from './webp'

const SIDE_AT_MOST = 16_383
const FRAMES_AT_MOST = 500
/** All frames of an animation together, since they are decoded together. */
export const PIXELS_AT_MOST = 50_000_000

/** Reads the header alone and refuses a picture that would cost too much, before a decoder meets it. */
export function judgeHeader(file: Uint8Array, type: PictureType): Header {
  const header = readHeader(new DataView(file.buffer, file.byteOffset, file.byteLength), type)
  const { width, height, frames } = header
  if (width === 0 || height === 0 || frames === 0) throw new Refusal(DAMAGED)
  if (frames > FRAMES_AT_MOST) throw new Refusal('The animation has more than 500 frames.')
  if (width > SIDE_AT_MOST || height > SIDE_AT_MOST)
    throw new Refusal('The picture is more than 16,383 pixels wide or high.')
  if (width * height * frames > PIXELS_AT_MOST)
    throw new Refusal('The picture has more than 50 million pixels, all frames counted together.')
  return header
}

function readHeader(bytes: DataView, type: PictureType): Header {
  if (type === 'image/jpeg') return jpegHeader(bytes)
  if (type === 'image/png') return pngHeader(bytes)
  if (type === 'image/gif') return gifHeader(bytes, FRAMES_AT_MOST)
  return webpHeader(bytes)
}
