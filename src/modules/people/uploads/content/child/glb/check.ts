import { BYTES_AT_MOST } from '../limits'
import { DAMAGED, Refusal } from '../refusal'
import { checkAccessors } from './accessors'
import { checkBuffers } from './buffers'
import { readContainer, writeContainer } from './container'
import { checkImages } from './images'
import { isObject, parseBounded } from './json'
import { checkReferences } from './references'

/**
 * Checks a GLB and rewrites it from the parsed data, so that every viewer sees the same model: duplicate keys, unknown chunks and
 * unreferenced bytes are dropped.
 */
export function checkModel(file: Uint8Array): Uint8Array {
  const container = readContainer(file)
  const model = parseBounded(container.json)
  const version = isObject(model.asset) && model.asset.version
  if (typeof version !== 'string' || !/^2\.\d+$/.test(version)) throw new Refusal(DAMAGED)
  checkReferences(model)
  const binary = checkBuffers(model, container.binary)
  checkAccessors(model)
  checkImages(model, binary)
  const written = writeContainer({ json: new TextEncoder().encode(JSON.stringify(model)), binary })
  if (written.length > BYTES_AT_MOST) throw new Refusal('The model is too complex.')
  return written
}
