import { examineSheets, type SheetDiagnosis } from '@/modules/gatherings/pass-sheets/files/doctor'
import { examine, isWell, type Diagnosis as OfUploads } from '@/modules/people/uploads/doctor/examine'
import { storage } from '@/outbound/storage/current'
import { CATALOGUE } from '../catalogue'
import { task } from '../command'
import { progress } from '../progress'
import { bytes, counted, lasting } from '../units'

export type Diagnosis = OfUploads & Pick<SheetDiagnosis, 'sheets'>

type Terms = { withHash: boolean; say: (line: () => string) => void }

/** Compares the database's files with the storage. */
export async function examineStorage({ withHash, say }: Terms) {
  const uploads = await examine(storage, {
    withHash,
    onProgress: (looked, of) => say(() => `${counted(looked, 'file')} of ${of.toLocaleString('en')}`),
  })
  const diagnosis = withSheets(uploads, await examineSheets(storage))
  return { diagnosis, isWell: isWell(diagnosis) }
}

const withSheets = (uploads: OfUploads, sheets: SheetDiagnosis): Diagnosis => ({
  ...uploads,
  sheets: sheets.sheets,
  objects: uploads.objects + sheets.objects,
  bytes: uploads.bytes + sheets.bytes,
  missing: [...uploads.missing, ...sheets.missing],
  wrongSize: [...uploads.wrongSize, ...sheets.wrongSize],
  nobodys: [...uploads.nobodys, ...sheets.nobodys],
  onTheirWay: uploads.onTheirWay + sheets.onTheirWay,
})

export const doctor = task({
  ...CATALOGUE.storageDoctor,
  async work(_, options) {
    const { say, done } = progress()
    return (await examineStorage({ withHash: options.has('--hash'), say }).finally(done)).diagnosis
  },
  isWell,
  show: (found) => [...wrongs(found), ...(wrongs(found).length > 0 ? [''] : []), ...sums(found)].join('\n'),
})

/** Lines per kind. */
const LINES_MAX = 50

const wrongs = ({ missing, wrongSize, wrongContent, nobodys }: Diagnosis): string[] => [
  ...lines(
    'missing',
    [...Map.groupBy(missing, ({ key }) => key)],
    ([key, [first, ...others]]) => `${first?.name}${andMore(others.length)}  of ${key}`,
  ),
  ...lines(
    'wrong size',
    wrongSize,
    ({ name, key, expected, found }) => `${name}  of ${key}: ${found} bytes instead of ${expected}`,
  ),
  ...lines('wrong content', wrongContent, ({ name, key }) => `${name}  of ${key}`),
  ...lines('orphaned', nobodys, ({ name, size }) => `${name}  ${bytes(size)}`),
]

const andMore = (count: number) => (count === 0 ? '' : ` and ${counted(count, 'more file')}`)

function lines<T>(kind: string, all: T[], line: (one: T) => string): string[] {
  const more = all.length - LINES_MAX
  return [
    ...all.slice(0, LINES_MAX).map(line),
    ...(more > 0 ? [`and ${counted(more, 'more line')}; --json has all of them`] : []),
  ].map((text) => `${kind.padEnd(15)}${text}`)
}

const STRAYS_MAX = 5

/** Foreign names may hold terminal escape codes. */
function strange({ strays }: Diagnosis): string[] {
  if (strays.length === 0) return []
  const names = strays.slice(0, STRAYS_MAX).map((name) => name.replace(/\p{C}/gu, '?'))
  return [
    `${counted(strays.length, 'file')} here ${strays.length === 1 ? 'is' : 'are'} none of ours: ${names.join(', ')}${strays.length > STRAYS_MAX ? ' …' : ''}`,
  ]
}

function sums(found: Diagnosis): string[] {
  const waiting = [
    found.awaitingRemoval > 0 && `${counted(found.awaitingRemoval, 'deleted upload')} to be removed`,
    found.onTheirWay > 0 && `${counted(found.onTheirWay, 'file')} on the way`,
    found.leftovers.files > 0 &&
      `${counted(found.leftovers.files, 'unfinished file')} to be swept (${bytes(found.leftovers.bytes)})`,
  ].filter((line) => line !== false)
  return [
    `${counted(found.uploads, 'upload')}, ${counted(found.sheets, 'print sheet')}; ${counted(found.objects, 'file')}, ${bytes(found.bytes)}, in ${found.storage}.`,
    ...strange(found),
    ...unchecked(found),
    ...(waiting.length > 0 ? [`Awaiting the worker: ${waiting.join(', ')}.`] : []),
    verdict(found),
  ]
}

/** A running worker takes a file at once and rarely needs longer for all. */
const LONG_SECONDS = 60

function unchecked({ awaitingCheck: { waiting, oldestSeconds } }: Diagnosis): string[] {
  if (oldestSeconds === null) return []
  const time = lasting(oldestSeconds)
  const wait =
    waiting === 1
      ? `1 file has waited for its check for ${time}`
      : `${counted(waiting, 'file')} wait for their check, the oldest for ${time}`
  return [oldestSeconds > LONG_SECONDS ? `${wait}: does a worker run?` : `${wait}.`]
}

function verdict(found: Diagnosis): string {
  const { missing, wrongSize, wrongContent, nobodys, isHashed } = found
  if (isWell(found))
    return `They agree${isHashed ? ', content and all' : '; --hash would compare their content, too'}.`
  const counts = [
    [missing.length, 'missing'],
    [wrongSize.length, 'of a wrong size'],
    [wrongContent.length, 'of wrong content'],
    [nobodys.length, 'orphaned (the worker removes these within six hours)'],
  ] as const
  return `They do not agree: ${counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')}.`
}
