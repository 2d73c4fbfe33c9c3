export type PreviewOrder = {
  site: string
  title: string
  when: string
  where: string
  month: string
  day: string
  accent: string
  /** Our own SVG of 320 by 180. */
  pattern: string
}

export type PreviewAnswer = { png: string } | { failed: string }
