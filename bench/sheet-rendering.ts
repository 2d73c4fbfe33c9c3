import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Milliseconds of the processor, in a process that has done nothing else: that is how a sheet is rendered. */

const PAGES = 1000
const FIRST = [
  'Ada',
  'Grace',
  'Émilie',
  'Søren',
  'Jürgen',
  'Ana María',
  'Владимир',
  'محمد',
  '王小明',
  'Nguyễn',
]
const LAST = [
  'Lovelace',
  'Hopper',
  'du Châtelet',
  'Kierkegaard',
  'Müller-Lüdenscheidt',
  'Иванов',
  'علي',
  'O’Brien',
]

/** Empty pages and one embedded font, by a library that many use. */
async function emptyPages(): Promise<() => Promise<unknown>> {
  const { default: PDFDocument } = await import('pdfkit')
  const font = fileURLToPath(
    import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  )
  return async () => {
    const pdf = new PDFDocument({ autoFirstPage: false })
    const ended = new Promise((resolve) => pdf.on('end', resolve))
    pdf.on('data', () => {})
    for (let page = 0; page < PAGES; page += 1) {
      pdf.addPage({ size: 'A4' })
      // A font that no page uses is not embedded.
      if (page === 0) pdf.font(font).text('Ada')
    }
    pdf.end()
    await ended
  }
}

async function badges(): Promise<() => Promise<unknown>> {
  const { drawSheet } = await import('@/modules/passes/sheets/draw')
  const cells = Array.from({ length: PAGES }, (_, index) => ({
    name: `${FIRST[index % FIRST.length]} ${LAST[(index * 7) % LAST.length]} ${index}`,
    url: `HTTPS://MEET.EXAMPLE.ORG/PASS/${(index * 7919 + 1e12).toString(36).toUpperCase().padStart(16, 'A')}`,
    code: `ABCD-EFGH-2345-${1000 + index}`,
  }))
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-bench-'))
  return async () => {
    const { bytes } = await drawSheet(
      {
        ...{ kind: 'badges', paper: 'a4', startAt: 1, cells },
        ...{ title: 'Spring Meetup', subtitle: 'Prague, 4 June', siteName: 'Meet' },
      },
      async () => {},
    )
    await Bun.write(join(folder, 'sheet.pdf'), bytes)
    rmSync(folder, { recursive: true })
  }
}

const work = await (process.argv[2] === 'badges' ? badges() : emptyPages())
const before = process.cpuUsage()
await work()
const { user, system } = process.cpuUsage(before)
process.stdout.write(String((user + system) / 1000), () => process.exit(0))
