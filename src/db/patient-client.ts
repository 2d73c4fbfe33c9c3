import type { Socket } from 'node:net'
import pg from 'pg'
import { type DatabaseAddress, databaseAddresses, wantsWrites } from '@/config/database-address'
import { unavailableBy } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { hold, LOOK, type Look } from './servers/look'
import { forgetPrimary, primaryOf } from './servers/primary'

/**
 * The class of BullMQ's database connections. It connects to the primary, and sends with a statement the settings that BullMQ
 * passes at connect, which poolers refuse. A breaking connection rejects its statement and also emits `error`; BullMQ has no
 * listener for that, so the process would end.
 */
export const patientClient = (url: string) =>
  class PatientClient extends pg.Client {
    readonly #settings: string[]

    constructor({ options = '', ...config }: pg.ClientConfig = {}) {
      const { address, ssl } = databaseAddresses(url)[0] as DatabaseAddress
      super({ ...config, connectionString: address, ssl })
      this.#settings = options.split('-c ').filter(Boolean)
      this.on('error', (error) => warnSparingly('jobs: a connection to PostgreSQL was lost', reasonOf(error)))
    }

    override connect(): Promise<pg.Client>
    override connect(settled: (error: Error) => void): void
    override connect(settled?: (error: Error) => void): Promise<pg.Client> {
      const opening = this.#open()
      if (settled) opening.then(() => settled(null as unknown as Error), settled)
      return opening
    }

    async #open(): Promise<pg.Client> {
      let release = () => {}
      try {
        const { address, ssl } = await primaryOf(url)
        const { hostname, port } = new URL(address)
        Object.assign(this, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) })
        if (ssl) Object.assign((this as unknown as { connection: object }).connection, { ssl })
        const { connection } = this as unknown as { connection: { stream: Socket } }
        release = hold(address, () => connection.stream.destroy())
        this.once('end', release)
        await super.connect()
        for (const setting of this.#settings) await this.query(`set ${setting}`)
        const { rows } = await this.query(LOOK)
        if ((rows[0] as Look).isReadOnly && wantsWrites(url)) throw unavailableBy('25006')
        return this
      } catch (error) {
        forgetPrimary(url)
        release()
        void super.end().catch(() => {})
        throw error
      }
    }
  }
