import type { Visit } from '../visit'

/** A file generated while it is downloaded. */
export type Download = {
  /** The file name. */
  name: string
  type: string
  chunks: AsyncGenerator<string | Uint8Array>
}

/** A kind of download, by the name in its signed addresses. */
export type DownloadKind = {
  name: string
  /** Generates it from the signed ids: those of the object, and `by`, the requester, who must still have access. */
  make: (ids: Record<string, string>, visit: Visit) => Promise<Download>
}
