import { examineStorage } from '../storage/examine'
import { bytes, counted } from '../units'
import { type Finding, ok, wrong } from './finding'

export async function lookAtStorage(say: (line: () => string) => void): Promise<Finding[]> {
  const { isWell, diagnosis } = await examineStorage({ withHash: false, say })
  const { storage, objects, bytes: size, missing, wrongSize, nobodys } = diagnosis
  const found = `${counted(objects, 'file')}, ${bytes(size)}, in ${storage}`
  if (isWell) return [ok('storage', `${found}, as the database says.`)]
  return [
    wrong(
      'storage',
      `${found}: ${missing.length} missing, ${wrongSize.length} of a wrong size, ${nobodys.length} nobody's.`,
      'See "folkmoot storage doctor".',
    ),
  ]
}
