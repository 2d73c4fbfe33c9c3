import { type FeedEvent, type FeedHead, FORMATS, type Format } from '@/modules/gatherings/feeds/feed'
import { render } from '@/modules/gatherings/feeds/render'
import { median } from './median'

const EVENTS = 1000
const ROUNDS = 15

/** Milliseconds of the processor for a feed of a thousand events, and the longest for which nothing else had a turn. */
export type Rendering = { format: Format; cpuMs: number; stretchMs: number }

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Europe/Lisbon']

const event = (n: number): FeedEvent => {
  const startTime = new Date(Date.UTC(2026, 0, 1) + n * 6 * 3_600_000)
  const overAt = new Date(startTime.getTime() + 2 * 3_600_000)
  return {
    id: `0193d2a4-0000-7000-8000-${String(n).padStart(12, '0')}`,
    title: `An evening of talks & tea, number ${n}`,
    description:
      'Bring a chair; we bring the rest. Doors open at six, the first talk begins at seven.\n\n'.repeat(4),
    startTime,
    endTime: overAt,
    overAt,
    timezone: ZONES[n % ZONES.length] as string,
    eventType: 'physical',
    status: n % 20 === 0 ? 'cancelled' : 'published',
    cancelReason: null,
    tags: ['talks', 'tea'],
    photoUrl: null,
    venue: {
      name: 'Old Hall',
      address: 'Market Square 1',
      city: 'Lisbon',
      state: null,
      postalCode: '1100',
      country: 'Portugal',
      latitude: 38.71,
      longitude: -9.13,
    },
    onlineUrl: null,
    group: { name: 'Talks and Tea', urlname: 'talks-and-tea' },
    url: `https://moot.example/events/${n}`,
    sequence: n % 3,
    publishedAt: new Date(startTime.getTime() - 30 * 86_400_000),
    updatedAt: new Date(startTime.getTime() - 20 * 86_400_000),
    answer: null,
  }
}

const address = (format: Format) => `https://moot.example/feeds/events.${format}`

const HEAD: FeedHead = {
  title: 'Events',
  description: 'What is on',
  addresses: { ics: address('ics'), rss: address('rss'), atom: address('atom'), json: address('json') },
  pageUrl: 'https://moot.example/events',
  hubUrl: 'https://moot.example/websub',
  isPersonal: false,
}

async function measure(): Promise<Rendering[]> {
  const events = Array.from({ length: EVENTS }, (_, n) => event(n))
  const found: Rendering[] = []
  for (const format of FORMATS) {
    for (let i = 0; i < 3; i += 1) await render(format, HEAD, events)
    const [cpu, stretches]: [number[], number[]] = [[], []]
    for (let i = 0; i < ROUNDS; i += 1) {
      let [longest, lastAt, isOver] = [0, performance.now(), false]
      const tick = () => {
        const at = performance.now()
        longest = Math.max(longest, at - lastAt)
        lastAt = at
        if (!isOver) setImmediate(tick)
      }
      const before = process.cpuUsage()
      setImmediate(tick)
      await render(format, HEAD, events)
      isOver = true
      const { user, system } = process.cpuUsage(before)
      tick()
      cpu.push((user + system) / 1000)
      stretches.push(longest)
    }
    found.push({ format, cpuMs: median(cpu), stretchMs: median(stretches) })
  }
  return found
}

process.stdout.write(JSON.stringify(await measure()), () => process.exit(0))
