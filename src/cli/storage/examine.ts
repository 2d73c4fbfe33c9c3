import { examineSheets, type SheetDiagnosis } from '@/modules/gatherings/pass-sheets/files/doctor'
import { examine, isWell, type Diagnosis as OfUploads } from '@/modules/people/uploads/doctor/examine'
import { storage } from '@/outbound/storage/current'
import { counted } from '../units'

export type Diagnosis = OfUploads & Pick<SheetDiagnosis, 'sheets'>

type Terms = { withHash: boolean; say: (line: () => string) => void }

/** Compares what the database knows of files with the storage. */
export async function examineStorage({ withHash, say }: Terms) {
  const uploads = await examine(storage, {
    withHash,
    onProgress: (looked, of) => say(() => `${counted(looked, 'file')} of ${of.toLocaleString('en')}`),
  })
  const diagnosis = withSheets(uploads, await examineSheets(storage))
  return { diagnosis, isWell: isWell(diagnosis) }
}

/** What is wrong with either stands in the same lists. */
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
