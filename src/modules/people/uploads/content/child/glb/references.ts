import { Refusal } from '../refusal'
import { isObject, type Json, type JsonObject } from './json'
import { at, listOf } from './shape'

const XMP = /^KHR_xmp/

/** Refuses URIs anywhere and dangling references to views; removes metadata. */
export function checkReferences(model: JsonObject) {
  const views = listOf(model, 'bufferViews')
  const visit = (value: Json) => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isObject(value)) return
    // A viewer would load any URI, even `data:`, without our checks.
    if (Object.hasOwn(value, 'uri'))
      throw new Refusal('The model refers to other files: export it with everything embedded in one GLB.')
    if (Object.hasOwn(value, 'bufferView')) at(views, value.bufferView)
    for (const name of Object.keys(value)) {
      if (XMP.test(name)) delete value[name]
      else visit(value[name] as Json)
    }
  }
  visit(model)
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    const names = model[list]
    if (Array.isArray(names)) model[list] = names.filter((name) => !XMP.test(String(name)))
    if (Array.isArray(model[list]) && model[list].length === 0) delete model[list]
  }
}
