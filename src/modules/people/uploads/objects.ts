import type { SmallerPicture } from '@/db/tables/uploads'
import { ENDINGS } from './content/content-types'

type Row = { incoming: string | null; file: string | null; sizes: SmallerPicture[] }

/** Object names. Each write uses a new name, so that the loser of a race removes only its own object. */
export const incomingName = (incoming: string) => `incoming/${incoming}`
export const fileName = (file: string) => `files/${file}`
export const smallerName = (file: string, { width, ending }: Pick<SmallerPicture, 'width' | 'ending'>) =>
  `files/${file}.${width}.${ending}`

export const asSmaller = ({
  width,
  contentType,
  size,
  sha256,
}: Omit<SmallerPicture, 'ending'>): SmallerPicture => ({
  width,
  contentType,
  ending: ENDINGS[contentType] as string,
  size,
  sha256,
})

export const objectsOf = ({ incoming, file, sizes }: Row): string[] => [
  ...(incoming === null ? [] : [incomingName(incoming)]),
  ...(file === null ? [] : [fileName(file), ...sizes.map((smaller) => smallerName(file, smaller))]),
]
