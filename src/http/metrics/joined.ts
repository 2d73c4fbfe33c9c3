/** The Prometheus text of one of several processes, with its label. */
export type ProcessText = { process: string; text: string }

/** Joins the texts of several processes, labelled by process: a sum would fall when one restarts, and a counter must not. */
export function joinedTexts(texts: ProcessText[]): string {
  const families = new Map<string, { heading: string[]; samples: string[] }>()
  for (const { process, text } of texts) {
    let samples: string[] = []
    for (const line of text.split('\n')) {
      const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (kind === undefined) {
        if (line !== '') samples.push(labelled(line, process))
        continue
      }
      const known = families.get(name)
      const family = known ?? { heading: [], samples: [] }
      if (known === undefined) families.set(name, family)
      if (!family.heading.some((heading) => heading.startsWith(`# ${kind} `))) family.heading.push(line)
      samples = family.samples
    }
  }
  const lines = [...families.values()].flatMap(({ heading, samples }) => [...heading, ...samples])
  return `${lines.join('\n')}\n`
}

function labelled(sample: string, process: string): string {
  const label = `process="${process}"`
  const open = sample.indexOf('{')
  const space = sample.indexOf(' ')
  return open >= 0 && open < space
    ? `${sample.slice(0, open)}{${label},${sample.slice(open + 1)}`
    : `${sample.slice(0, space)}{${label}}${sample.slice(space)}`
}
