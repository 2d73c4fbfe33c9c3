import pg from 'pg'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'

/**
 * A connection that breaks while it is in use reports to its user and, once more, to whoever listens to it. Nobody
 * does in BullMQ, and an error that nobody hears would end the process.
 */
export class PatientClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options)
    this.on('error', (error) => warnSparingly('jobs: a connection to PostgreSQL was lost', reasonOf(error)))
  }
}
