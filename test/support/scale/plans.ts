import { fstatSync, openSync, readSync } from 'node:fs'
import type postgres from 'postgres'

/** A statement as PostgreSQL ran it. */
export type Ran = {
  text: string
  ms: number
  /** Rows that were read from each table. */
  reads: Record<string, number>
  /** Rows that were read by sequential scans. */
  scans: Record<string, number>
  spills: boolean
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Sort Space Type'?: string
  'Hash Batches'?: number
  Plans?: Node[]
}

/** From now on new connections write each statement with its plan to the server's log. */
export async function logPlans(sql: postgres.Sql, database: string): Promise<void> {
  const settings = {
    session_preload_libraries: "'auto_explain'",
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_nested_statements': 'on',
  }
  for (const [name, value] of Object.entries(settings))
    await sql.unsafe(`alter database ${database} set ${name} = ${value}`)
}

/** Reads the statements that were logged since the last call. */
export function planReader(logFile: string): () => Ran[] {
  const file = openSync(logFile, 'r')
  let at = fstatSync(file).size
  return () => {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(size - at)
    readSync(file, bytes, 0, bytes.length, at)
    at = size
    return plansIn(bytes.toString())
  }
}

function plansIn(log: string): Ran[] {
  return [...log.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:[\t}{ ].*\n?)+)/g)].flatMap(
    ([, ms, json = '']) => {
      try {
        const { 'Query Text': text, Plan } = JSON.parse(json) as { 'Query Text': string; Plan: Node }
        return [{ text: text.replace(/\s+/g, ' '), ms: Number(ms), ...readsOf(Plan) }]
      } catch {
        return []
      }
    },
  )
}

function readsOf(plan: Node) {
  const reads: Record<string, number> = {}
  const scans: Record<string, number> = {}
  let spills = false
  const visit = (node: Node) => {
    const { 'Relation Name': table, 'Actual Loops': loops = 1 } = node
    const passed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const rows = ((node['Actual Rows'] ?? 0) + passed) * loops
    if (table) reads[table] = (reads[table] ?? 0) + rows
    if (table && node['Node Type'] === 'Seq Scan') scans[table] = (scans[table] ?? 0) + rows
    spills ||= node['Sort Space Type'] === 'Disk' || (node['Hash Batches'] ?? 1) > 1
    for (const below of node.Plans ?? []) visit(below)
  }
  visit(plan)
  return { reads, scans, spills }
}
