import { DAMAGED, Refusal } from '../refusal'

/** Refuses a model whose header does not say what the file is. */
export function checkModel(file: Uint8Array): Uint8Array {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 20 || bytes.getUint32(8, true) !== file.length) throw new Refusal(DAMAGED)
  if (bytes.getUint32(4, true) !== 2) throw new Refusal('The model is not of glTF version 2.')
  return file
}
