import { counted, gauge, type Sample } from '@/core/metrics'
import { poolFigures, statementCount } from './client'
import { answers } from './pool/answers'
import { primariesSeen } from './servers/watch'

type Figures = ReturnType<typeof poolFigures>[number]

const ofPools = (read: (figures: Figures) => number) => (): Sample[] =>
  poolFigures().map((figures) => [{ pool: figures.name }, read(figures)])

counted('folkmoot_database_statements_total', 'Statements sent to PostgreSQL.', statementCount)

counted(
  'folkmoot_database_statements_cancelled_total',
  'Statements that PostgreSQL cancelled because they took too long (57014).',
  () => answers.cancelled,
)
counted(
  'folkmoot_database_lock_timeouts_total',
  'Statements that waited too long for a lock (55P03).',
  () => answers.lockTimeouts,
)

gauge(
  'folkmoot_database_pool_seats',
  'Connections that a pool may have.',
  ofPools(({ seats }) => seats),
)
gauge(
  'folkmoot_database_pool_connections',
  'Connections that a pool has open.',
  ofPools(({ connections }) => connections),
)
gauge(
  'folkmoot_database_pool_busy',
  'Connections of a pool in use.',
  ofPools(({ busy }) => busy),
)
gauge(
  'folkmoot_database_pool_waiting',
  'Statements and transactions that wait for a connection.',
  ofPools(({ waiting }) => waiting),
)
counted(
  'folkmoot_database_pool_refused_total',
  'Those that found no connection in time, or no room to wait for one.',
  ofPools(({ refused }) => refused),
)
gauge(
  'folkmoot_database_share_waiting',
  'Statements and transactions that wait for their share of the connections: for one of their caller, or of the row they change.',
  ofPools(({ waitingForShare }) => waitingForShare),
)
counted(
  'folkmoot_database_share_refused_total',
  'Statements and transactions that waited too long for their share, or found too many waiting.',
  ofPools(({ overShare }) => overShare),
)
counted(
  'folkmoot_database_connection_failures_total',
  'Attempts to connect that failed.',
  ofPools(({ failures }) => failures),
)
gauge(
  'folkmoot_database_primaries',
  'Hosts of DATABASE_URL that take writes; left out where it names one.',
  (): Sample[] => primariesSeen().map((seen) => [{}, seen]),
)
