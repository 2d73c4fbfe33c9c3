import { admin } from './admin'
import { backup, backupVerify } from './backup'
import type { Command } from './command'
import { databaseUpgrade } from './database-upgrade'
import { doctor } from './doctor/doctor'
import { deadJobs, jobs, retryJobs } from './jobs'
import { migrate } from './migrate'
import { restore } from './restore'
import { doctor as storageDoctor } from './storage/doctor'
import { move } from './storage/move'
import { mint } from './tags'
import { token } from './token'

/** One file for each, in the order of the catalogue; no logic here. */
export const COMMANDS: Command[] = [
  doctor,
  admin,
  token,
  mint,
  migrate,
  jobs,
  deadJobs,
  retryJobs,
  backup,
  backupVerify,
  restore,
  databaseUpgrade,
  storageDoctor,
  move,
]
