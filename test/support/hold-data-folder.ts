import { lockDataFolder } from '@/db/data-lock'

// Run as a process of its own: takes the lock of a data folder, says so, and holds it until it is ended.
try {
  lockDataFolder(process.argv[2] as string)
  console.log('held')
  setInterval(() => {}, 1000)
} catch (error) {
  console.log((error as Error).message)
}
