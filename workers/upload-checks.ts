import { checkNext } from '@/modules/people/uploads/check/check'
import { startLooking } from './looking'

/** Checks files that were sent, one at a time: pictures take much of a small machine. */
export const startUploadChecks = () =>
  startLooking({ name: 'uploads', wakesOn: 'upload.received', next: () => checkNext() })
