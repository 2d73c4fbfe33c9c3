import { makeTemplate } from './template'

// A process of its own, so that a copy of the tree migrates with its own migrations.
await makeTemplate(process.env.TEST_DATABASE_URL as string)
