import { ENDINGS } from '@/modules/people/uploads/content/content-types'

type Named = { id: string; category: string; filename: string; contentType: string }

const STEM_MAX = 60
const ID_LENGTH = 12

/**
 * The name of a file in an archive. People chose the names, so what leads out of a folder, hides an ending or is a word of
 * Windows must not get through: letters, digits and a few marks stay, our own ending follows, and a part of the id, by
 * which no two are the same.
 */
export function fileInArchive({ id, category, filename, contentType }: Named): string {
  const stem = filename.normalize('NFC').replace(/\.[^.]*$/, '')
  const clean = stem.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^[-\p{M}]+|-+$/gu, '')
  const short = [...clean].slice(0, STEM_MAX).join('')
  return `files/${category}/${short || 'file'}-${id.slice(-ID_LENGTH)}.${ENDINGS[contentType] ?? 'bin'}`
}
