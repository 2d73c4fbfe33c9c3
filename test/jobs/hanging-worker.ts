import { connectDatabase } from '@/db/client'
import { startJobs } from '../support/lanes'
import { countingJob } from './counting'

/** A worker process whose job never gets past its second step. */
connectDatabase(process.env.DATABASE_URL as string, {
  max: 2,
  statementTimeoutMs: 30_000,
  name: 'folkmoot-test',
})
startJobs([countingJob((done) => (done === 2 ? new Promise(() => {}) : Promise.resolve()))], {
  leaseMs: Number(process.env.LEASE_MS),
})
