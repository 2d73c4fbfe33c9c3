import pg from 'pg'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'

/**
 * A connection that breaks while it is in use reports to its user and also emits `error`. BullMQ has no listener for
 * it, and an error without one would end the process.
 */
export class PatientClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options)
    this.on('error', (error) => warnSparingly('jobs: a connection to PostgreSQL was lost', reasonOf(error)))
  }
}
