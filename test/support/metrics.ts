import { get } from './api'

type Sample = { name: string; labels: Record<string, string>; value: number }
export type Family = { kind: string; help: string; samples: Sample[] }

export const scrape = async (port: number | string): Promise<string> =>
  (await get('/metrics', { base: `http://127.0.0.1:${port}` })).text

const SAMPLE = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/

/** Reads Prometheus' text strictly: whatever is not as it should be is thrown. */
export function parseMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  let name = ''
  for (const line of text.trimEnd().split('\n')) {
    const help = /^# HELP (\S+) (.+)$/.exec(line)
    if (help) {
      name = help[1] as string
      if (families.has(name)) throw new Error(`${name} is there twice`)
      families.set(name, { help: help[2] as string, kind: '', samples: [] })
      continue
    }
    const family = families.get(name)
    const kind = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (kind && family && kind[1] === name) {
      family.kind = kind[2] as string
      continue
    }
    const sample = SAMPLE.exec(line)
    const own = sample?.[1]?.replace(family?.kind === 'histogram' ? /_(bucket|sum|count)$/ : /$^/, '')
    if (!sample || !family?.kind || own !== name || !Number.isFinite(Number(sample[3])))
      throw new Error(`This line is not as it should be: ${line}`)
    const labels = [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    family.samples.push({
      name: sample[1] as string,
      labels: Object.fromEntries(labels.map(([, label, value]) => [label as string, value as string])),
      value: Number(sample[3]),
    })
  }
  return families
}

/** The figure of a name with these labels. */
export const figure = (families: Map<string, Family>, name: string, labels: Record<string, string> = {}) =>
  families
    .get(name.replace(/_(bucket|sum|count)$/, '')) // a histogram's own
    ?.samples.find(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value
