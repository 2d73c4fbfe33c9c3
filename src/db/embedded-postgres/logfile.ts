import * as fs from 'node:fs'
import { join } from 'node:path'
import { meaningfulLines } from './error'

const largestLog = 10 * 1024 * 1024
const longestTail = 64 * 1024

export type LogFile = { descriptor: number; close(): void; lastErrors(): string }

/** Opens the log for one run of PostgreSQL; rotates a long one to postgres.log.1. */
export function openLog(dataDir: string): LogFile {
  const path = logPath(dataDir)
  rotate(path)
  const descriptor = fs.openSync(path, 'a', 0o600)
  const start = fs.fstatSync(descriptor).size
  return {
    descriptor,
    close: () => fs.closeSync(descriptor),
    lastErrors: () => meaningfulLines(readTail(path, start)),
  }
}

export function logPath(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

function rotate(path: string): void {
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > largestLog) fs.renameSync(path, `${path}.1`)
}

function readTail(path: string, start: number): string {
  try {
    const content = fs.readFileSync(path)
    return content.subarray(Math.max(start, content.length - longestTail)).toString()
  } catch {
    return ''
  }
}
