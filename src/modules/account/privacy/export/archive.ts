import { now } from '@/core/clock'
import { db } from '@/db/client'
import { tableName } from '@/db/tables/columns'
import type { Work } from '@/jobs/job'
import { ENDINGS } from '@/modules/people/uploads/content/content-types'
import { fileName } from '@/modules/people/uploads/key'
import { storage } from '@/outbound/storage/current'
import { streamOf } from '@/outbound/storage/storage'
import { isLanguage } from '@/words/language'
import { wordsIn } from '@/words/words'
import { HELD } from '../held/all'
import type { Holding } from '../held/holding'
import { filesAfter } from './files-queries'
import { PAGE_ROWS, type Section, writePage } from './page'
import { type findPerson, type Row, rowsOf } from './rows-queries'
import { type ZipWriter, zipWriter } from './zip/writer'

type Reader = NonNullable<Awaited<ReturnType<typeof findPerson>>>

type Terms = {
  /** For the person, not for an application. */
  isWhole: boolean
  /** The number of files, for the progress. */
  files: number
  progress: Work['progress']
}

/** Writes everything about a person into a new file and returns its size. */
export async function writeArchive(path: string, person: Reader, terms: Terms): Promise<number> {
  const zip = await zipWriter(path)
  try {
    const tables = HELD.filter(({ leftOut, isPrivate }) => !leftOut && (terms.isWhole || !isPrivate))
    const total = tables.length + terms.files + 1
    let done = 0
    const step = () => terms.progress(++done, total)
    const sections: Section[] = []
    for (const holding of tables) {
      sections.push(await addTable(zip, holding, person))
      await step()
    }
    const missing = await addFiles(zip, person.id, step)
    const words = wordsIn(person.language && isLanguage(person.language) ? person.language : 'en')
    const page = writePage({ person, sections, missing, isWhole: terms.isWhole, words, at: now() })
    await zip.add({ name: 'index.html', at: now() }, [Buffer.from(page)])
    return await zip.finish()
  } finally {
    await zip.close()
  }
}

/** All rows as JSON, and the first ones for the page. */
async function addTable(zip: ZipWriter, holding: Holding, person: Reader): Promise<Section> {
  const section: Section = { table: tableName(holding.table), rows: [], count: 0 }
  await zip.add({ name: `data/${section.table}.json`, at: now() }, json(holding, person, section))
  return section
}

async function* json(holding: Holding, person: Reader, section: Section): AsyncGenerator<Uint8Array> {
  const isUploads = section.table === 'uploads'
  yield Buffer.from('[')
  for await (const read of rowsOf(db, holding, person)) {
    const rows = isUploads ? read.map(withPath) : read
    const start = section.count > 0 ? ',\n' : '\n'
    yield Buffer.from(start + rows.map((row) => JSON.stringify(row)).join(',\n'))
    section.rows.push(...rows.slice(0, PAGE_ROWS - section.rows.length))
    section.count += rows.length
  }
  yield Buffer.from('\n]\n')
}

/** The path of an upload's file in the archive. */
const withPath = (row: Row): Row => ({
  ...row,
  path: row.state === 'ready' ? fileInArchive(row as Parameters<typeof fileInArchive>[0]) : null,
})

const FILES_AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Adds the files sequentially and returns those missing in the storage. */
async function addFiles(zip: ZipWriter, userId: string, step: () => Promise<void>): Promise<string[]> {
  const missing: string[] = []
  for (let last = FIRST, found = FILES_AT_ONCE; found === FILES_AT_ONCE; ) {
    const files = await filesAfter(db, userId, last, FILES_AT_ONCE)
    found = files.length
    for (const file of files) {
      last = file.id
      const name = fileInArchive(file)
      const content =
        (await storage.find(fileName(file.file as string))) &&
        (await streamOf(storage, fileName(file.file as string)))
      if (content) await zip.add({ name, at: file.createdAt, isPacked: true }, content)
      else missing.push(name)
      await step()
    }
  }
  return missing
}

type Named = { id: string; category: string; filename: string; contentType: string }

const STEM_MAX = 60
const ID_LENGTH = 12

/**
 * The name of a file in an archive. People chose the names, so path traversal, disguised extensions and reserved words of Windows
 * must not pass: keeps letters, digits and a few marks, and appends a part of the id, for uniqueness, and our own extension.
 */
function fileInArchive({ id, category, filename, contentType }: Named): string {
  const stem = filename.normalize('NFC').replace(/\.[^.]*$/, '')
  const clean = stem.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^[-\p{M}]+|-+$/gu, '')
  const short = [...clean].slice(0, STEM_MAX).join('')
  return `files/${category}/${short || 'file'}-${id.slice(-ID_LENGTH)}.${ENDINGS[contentType] ?? 'bin'}`
}
