import { glbChunk, glbFile } from './bytes'

type Model = Record<string, unknown>

/** A model of one triangle with a texture. */
export function triangle(picture: Uint8Array, mimeType = 'image/png') {
  const corners = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer)
  const binary = Buffer.concat([corners, picture])
  const model: Model = {
    asset: { version: '2.0' },
    buffers: [{ byteLength: binary.length }],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: picture.length },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
    ],
    images: [{ bufferView: 1, mimeType }],
    textures: [{ source: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
  }
  return { model, binary }
}

export const glb = ({ model, binary }: { model: Model | string; binary?: Uint8Array }) =>
  glbFile(
    glbChunk('JSON', typeof model === 'string' ? model : JSON.stringify(model), ' '),
    ...(binary ? [glbChunk('BIN\0', binary, '\0')] : []),
  )
