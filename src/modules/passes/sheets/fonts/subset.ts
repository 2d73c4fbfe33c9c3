import { fileURLToPath } from 'node:url'

/** HarfBuzz's subset API. The package has no wrapper, so these are the C names. */
type Subsetter = {
  memory: WebAssembly.Memory
  _initialize(): void
  malloc(size: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_glyph_set(input: number): number
  hb_subset_input_set(input: number, which: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number
  hb_subset_or_fail(face: number, input: number): number
}

const WRITABLE = 2
const NO_HINTING = 0x1
const RETAIN_GLYPH_IDS = 0x2
const NO_LAYOUT_CLOSURE = 0x200
const DROPPED_TABLES = 3

/** A PDF positions every glyph, so it needs outlines and widths but no layout tables. */
const WITHOUT = [
  'GSUB',
  'GPOS',
  'GDEF',
  'BASE',
  'STAT',
  'name',
  'OS/2',
  'post',
  'cmap',
  'DSIG',
  'meta',
  'vhea',
  'vmtx',
  'VORG',
  'gasp',
]

const tagOf = (text: string) => [...text].reduce((tag, letter) => (tag << 8) | letter.charCodeAt(0), 0) >>> 0

let loading: Promise<Subsetter> | undefined

async function load(): Promise<Subsetter> {
  const path = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'))
  const { instance } = await WebAssembly.instantiate(await Bun.file(path).arrayBuffer(), {})
  const subsetter = instance.exports as unknown as Subsetter
  subsetter._initialize()
  return subsetter
}

/** Keeps only these glyphs, with their ids, in one weight. */
export async function subsetOf(
  bytes: Uint8Array,
  glyphs: Iterable<number>,
  weight: number | undefined,
): Promise<Uint8Array> {
  loading ??= load()
  const hb = await loading
  const data = hb.malloc(bytes.length)
  new Uint8Array(hb.memory.buffer).set(bytes, data)
  const blob = hb.hb_blob_create(data, bytes.length, WRITABLE, 0, 0)
  const face = hb.hb_face_create(blob, 0)
  const input = hb.hb_subset_input_create_or_fail()
  let cut = 0
  try {
    const wanted = hb.hb_subset_input_glyph_set(input)
    for (const glyph of glyphs) hb.hb_set_add(wanted, glyph)
    const dropped = hb.hb_subset_input_set(input, DROPPED_TABLES)
    for (const table of WITHOUT) hb.hb_set_add(dropped, tagOf(table))
    hb.hb_subset_input_set_flags(input, NO_HINTING | RETAIN_GLYPH_IDS | NO_LAYOUT_CLOSURE)
    if (weight !== undefined) hb.hb_subset_input_pin_axis_location(input, face, tagOf('wght'), weight)
    cut = hb.hb_subset_or_fail(face, input)
    if (cut === 0) throw new Error('A font could not be cut')
    const result = hb.hb_face_reference_blob(cut)
    const start = hb.hb_blob_get_data(result, 0)
    const copy = new Uint8Array(hb.memory.buffer).slice(start, start + hb.hb_blob_get_length(result))
    hb.hb_blob_destroy(result)
    return copy
  } finally {
    if (cut !== 0) hb.hb_face_destroy(cut)
    hb.hb_subset_input_destroy(input)
    hb.hb_face_destroy(face)
    hb.hb_blob_destroy(blob)
    hb.free(data)
  }
}
