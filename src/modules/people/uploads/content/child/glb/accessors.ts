import { DAMAGED, Refusal } from '../refusal'
import { isObject, type Json, type JsonObject } from './json'
import { at, listOf, whole } from './shape'

/** Viewers allocate memory for all accessors, even without a buffer view. */
const ELEMENTS_AT_MOST = 10_000_000
const COMPONENT_BYTES: Record<string, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 }
const COMPONENTS: Record<string, number> = {
  ...{ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 },
  ...{ MAT2: 4, MAT3: 9, MAT4: 16 },
}

/** Refuses accessors that read past the end of their view. */
export function checkAccessors(model: JsonObject) {
  const views = listOf(model, 'bufferViews')
  let elements = 0
  for (const accessor of listOf(model, 'accessors')) {
    const count = whole(accessor.count)
    elements += count
    const bytes = named(COMPONENT_BYTES, accessor.componentType) * named(COMPONENTS, accessor.type)
    if (accessor.bufferView !== undefined) demandQuota(at(views, accessor.bufferView), accessor, count, bytes)
    const { sparse } = accessor
    if (sparse === undefined) continue
    if (!isObject(sparse) || !isObject(sparse.indices) || !isObject(sparse.values)) throw new Refusal(DAMAGED)
    const { indices, values } = sparse
    const changed = whole(sparse.count)
    demandQuota(
      at(views, indices.bufferView),
      indices,
      changed,
      named(COMPONENT_BYTES, indices.componentType),
    )
    demandQuota(at(views, values.bufferView), values, changed, bytes)
  }
  if (elements > ELEMENTS_AT_MOST) throw new Refusal('The model is too complex.')
}

function demandQuota(view: JsonObject, { byteOffset }: JsonObject, count: number, bytes: number) {
  const stride = Math.max(bytes, whole(view.byteStride, 0))
  const end = count === 0 ? 0 : whole(byteOffset, 0) + stride * (count - 1) + bytes
  if (end > whole(view.byteLength)) throw new Refusal(DAMAGED)
}

function named(numbers: Record<string, number>, name: Json | undefined): number {
  if ((typeof name !== 'string' && typeof name !== 'number') || !Object.hasOwn(numbers, name))
    throw new Refusal(DAMAGED)
  return numbers[name] as number
}
