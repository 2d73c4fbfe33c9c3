import { config } from '@/config/config'
import { ConfigError } from '@/config/error'
import { storageAddress } from '@/config/storage-address'
import { openStorage, storage } from '@/outbound/storage/current'
import { copyAll, type Progress } from '@/outbound/storage/move'
import { CATALOGUE } from '../catalogue'
import { task } from '../command'
import { progress } from '../progress'
import { bytes, counted } from '../units'

export const move = task({
  ...CATALOGUE.storageMove,
  async work([address = '']) {
    const target = storageAddress('<address>', address, config.storage.moveKeys)
    const to = openStorage({ ...config.storage, address: target })
    if (to.label === storage.label) throw new ConfigError(`The files are in ${storage.label} already.`)
    const { say, done } = progress()
    const moved = await copyAll(storage, to, (so) => say(() => line(so), so.stage)).finally(done)
    return { from: storage.label, to: to.label, ...moved, set: { STORAGE_URL: address } }
  },
  show: ({ from, to, objects, bytes: size, copied, skipped, set }) =>
    [
      `${counted(objects, 'file')} of ${from}, ${bytes(size)}: all are in ${to} (${copied} copied and read back, ${skipped} were there with the same content).`,
      'Now:',
      `  1. Restart every server and worker with STORAGE_URL='${set.STORAGE_URL}'${set.STORAGE_URL.startsWith('s3:') ? ', STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY' : ''}.`,
      '  2. Run this command once more as before, with the old STORAGE_URL: it brings what came meanwhile.',
      '  3. Run "folkmoot storage doctor" with the new STORAGE_URL. Then the old files can go.',
    ].join('\n'),
})

const STAGES = { copying: 'Copying what is missing', comparing: 'Comparing what was there' }

const line = ({ stage, done, of }: Progress) =>
  `${STAGES[stage]}: ${counted(done.objects, 'file')} of ${of.objects.toLocaleString('en')}, ${bytes(done.bytes)} of ${bytes(of.bytes)}`
