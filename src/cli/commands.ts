import { admin } from './admin'
import { backup, backupVerify } from './backup'
import type { Command } from './command'
import { databaseUpgrade } from './database-upgrade'
import { jobs } from './jobs'
import { migrate } from './migrate'
import { restore } from './restore'
import { doctor as storageDoctor } from './storage/doctor'
import { move } from './storage/move'

/** One file for each; no logic here. The help shows them in this order. */
export const COMMANDS: Command[] = [
  admin,
  migrate,
  jobs,
  backup,
  backupVerify,
  restore,
  databaseUpgrade,
  storageDoctor,
  move,
]
