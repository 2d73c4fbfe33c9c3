import type { Visit } from '../visit'

/** A file that is made while it is fetched. */
export type Download = {
  /** As a person would call it. */
  name: string
  type: string
  chunks: AsyncGenerator<string | Uint8Array>
}

/** A kind of download, by the name that its signed addresses carry. */
export type DownloadKind = {
  name: string
  /** Makes it from the signed ids: those of the thing, and `by`, the person who asked and must still be allowed to. */
  make: (ids: Record<string, string>, visit: Visit) => Promise<Download>
}
