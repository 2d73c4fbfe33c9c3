import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demandPackage, hasProgram } from '../support/packages'

/** Debian's programs that check, draw and read what we print. */
export function demandPrograms() {
  demandPackage('qpdf', hasProgram('qpdf'))
  demandPackage('poppler-utils', hasProgram('pdftoppm'))
  demandPackage('zbar-tools', hasProgram('zbarimg'))
}

/** Runs a program to its end, and gives back what it said and how it ended. */
export async function outputOf(...command: string[]): Promise<{ output: string; status: number }> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [output] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { output, status: await child.exited }
}

export const makeFolder = () => mkdtempSync(join(tmpdir(), 'folkmoot-print-'))

/** Pages as pictures at 300 dots per inch, as a printer sees them. */
export async function pagesOf(pdf: string, pages: number): Promise<string[]> {
  await outputOf('pdftoppm', '-r', '300', '-gray', '-png', pdf, pdf.replace(/\.pdf$/, ''))
  const digits = String(pages).length
  return Array.from({ length: pages }, (_, index) =>
    pdf.replace(/\.pdf$/, `-${String(index + 1).padStart(digits, '0')}.png`),
  )
}

/** What zbar reads in each of some pictures, scanning every line, or every so many of them. */
export async function readByZbar(pictures: string[], step = 1): Promise<string[][]> {
  const { output } = await outputOf(
    ...['zbarimg', '--quiet', '--xml', '-Sdisable', '-Sqrcode.enable'],
    ...[`-Sx-density=${step}`, `-Sy-density=${step}`],
    ...pictures,
  )
  const found = new Map(
    output
      .split('<source ')
      .slice(1)
      .map((source) => [
        /href='([^']*)'/.exec(source)?.[1] ?? '',
        [...source.matchAll(/<data><!\[CDATA\[(.*?)\]\]><\/data>/g)].map(([, data]) => data as string),
      ]),
  )
  return pictures.map((picture) => found.get(picture) ?? [])
}
