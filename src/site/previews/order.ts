/** What the picture of an event says. */
export type PreviewOrder = {
  site: string
  title: string
  when: string
  where: string
  month: string
  day: string
  accent: string
  /** SVG of ours, of 320 by 180. */
  pattern: string
}

/** The picture in base64, or why there is none. */
export type PreviewAnswer = { png: string } | { failed: string }
