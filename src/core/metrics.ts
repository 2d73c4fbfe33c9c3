/** Label values come from closed sets, never from input: each makes a permanent time series. */
export type Labels = Readonly<Record<string, string>>
export type Sample = readonly [labels: Labels, value: number]

/** Callers increment `value` directly, which costs a hot path nothing. */
export type Counter = { value: number }

type Read = () => number | null | readonly Sample[]

const NO_LABELS: Labels = {}
const metrics = new Map<string, () => string[]>()

/** A counter since process start; its name ends in `_total`. */
export function counter(name: string, help: string): Counter {
  const kept = { value: 0 }
  counted(name, help, () => kept.value)
  return kept
}

/** The same, by the values of one label. */
export function counters<V extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly V[],
): Record<V, Counter> {
  const kept = Object.fromEntries(values.map((value) => [value, { value: 0 }])) as Record<V, Counter>
  counted(name, help, () => values.map((value) => [{ [label]: value }, kept[value].value]))
  return kept
}

/** A gauge that is read on scrape; null omits it. */
export const gauge = (name: string, help: string, read: Read) => measured('gauge', name, help, read)

/** A counter of another component, read on scrape. */
export const counted = (name: string, help: string, read: Read) => measured('counter', name, help, read)

function measured(kind: 'counter' | 'gauge', name: string, help: string, read: Read) {
  register(name, () => {
    const found = read()
    return found === null ? [] : sampled(kind, name, help, found)
  })
}

export const sampled = (
  kind: 'counter' | 'gauge',
  name: string,
  help: string,
  found: number | readonly Sample[],
): string[] => [
  ...heading(kind, name, help),
  ...(typeof found === 'number' ? [[NO_LABELS, found] as Sample] : found).map(
    ([labels, value]) => `${name}${braced(labelText(labels))} ${value}`,
  ),
]

/** Histogram data: the count, the sum, and the count within each bound. */
export type Durations = { count: number; seconds: number; within: number[] }

export class Histogram {
  readonly #series = new Map<string, Durations>()

  constructor(
    readonly name: string,
    readonly help: string,
    readonly bounds: readonly number[],
  ) {
    register(name, () => this.#lines())
  }

  /** The series of one set of labels. Hot paths hold on to it. */
  of(labels: Labels = NO_LABELS): Durations {
    const text = labelText(labels)
    let series = this.#series.get(text)
    if (series === undefined) {
      series = { count: 0, seconds: 0, within: this.bounds.map(() => 0) }
      this.#series.set(text, series)
    }
    return series
  }

  observe(series: Durations, seconds: number) {
    series.count += 1
    series.seconds += seconds
    for (let i = this.bounds.length - 1; i >= 0 && seconds <= (this.bounds[i] as number); i -= 1)
      series.within[i] = (series.within[i] as number) + 1
  }

  #lines(): string[] {
    const lines = heading('histogram', this.name, this.help)
    for (const [labels, { count, seconds, within }] of this.#series) {
      const and = labels && `${labels},`
      for (const [i, bound] of this.bounds.entries())
        lines.push(`${this.name}_bucket{${and}le="${bound}"} ${within[i]}`)
      lines.push(
        `${this.name}_bucket{${and}le="+Inf"} ${count}`,
        `${this.name}_sum${braced(labels)} ${seconds}`,
        `${this.name}_count${braced(labels)} ${count}`,
      )
    }
    return lines
  }
}

/** The Prometheus text of this process. */
export const metricsText = () => `${[...metrics.values()].flatMap((lines) => lines()).join('\n')}\n`

function register(name: string, lines: () => string[]) {
  if (metrics.has(name)) throw new Error(`There are two figures called ${name}`)
  metrics.set(name, lines)
}

const heading = (kind: string, name: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${kind}`,
]

const labelText = (labels: Labels) =>
  Object.entries(labels)
    .map(
      ([label, value]) => `${label}="${value.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
    )
    .join(',')

const braced = (labels: string) => labels && `{${labels}}`
