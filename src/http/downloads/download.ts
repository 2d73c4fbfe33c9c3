/** A file that is made while it is fetched. */
export type Download = {
  /** As a person would call it. */
  name: string
  type: string
  chunks: AsyncGenerator<string | Uint8Array>
}

/** What can be downloaded, by the name that its signed addresses carry. */
export type DownloadKind = {
  name: string
  /** From what was signed: the ids of the thing, and `by`, the person who asked and must still be allowed to. */
  make: (ids: Record<string, string>) => Promise<Download>
}
