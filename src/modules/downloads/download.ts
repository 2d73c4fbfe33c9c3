/** A file that is made while it is fetched. */
export type Download = {
  /** As a person would call it. */
  name: string
  type: string
  chunks: AsyncGenerator<string | Uint8Array>
}

export type DownloadMaker = (ids: Record<string, string>) => Promise<Download>
