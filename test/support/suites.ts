import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** Folders and files that only `bun run test:full` runs. Every other test file is in the fast suite. */
export const SLOW = [
  // Processes, machines, browsers and load of their own.
  'test/browser/',
  'test/deploy/',
  'test/faults/',
  'test/fuzz/',
  'test/print/',
  'test/races/',
  'test/subscribers/',
  'test/http/metrics.test.ts',
  'test/jobs/separate-worker.test.ts',
  'test/modules/access/sign-in/operators.test.ts',
  'test/modules/administration/jobs.test.ts',
  // Upgrades and whole databases.
  'test/cli/backup.test.ts',
  'test/cli/busy-queues.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/storage.test.ts',
  'test/db/installation.test.ts',
  'test/db/server-requirements.test.ts',
  'test/db/upgrades.test.ts',
  'test/upgrades/',
  // Whole demo communities, generated clients, everything that the docs print.
  'test/clients/examples.test.ts',
  'test/clients/generated.test.ts',
  'test/config/runtime.test.ts',
  'test/demo/demo.test.ts',
  // Thousands of feeds.
  'test/modules/gatherings/feeds/filters.test.ts',
  // Pictures and prints, pixel by pixel.
  'test/modules/gatherings/pass-sheets/files.test.ts',
  'test/modules/passes/sheets/render.test.ts',
  'test/modules/people/uploads/content/pictures.test.ts',
  'test/modules/people/uploads/content/process.test.ts',
]

export const testFiles = () => [...new Bun.Glob('test/**/*.test.ts').scanSync(root)].sort()

export const isSlow = (file: string) => SLOW.some((place) => file.startsWith(place))
