import { join } from 'node:path'
import type { Shot } from './load/generator'
import { onServerCore } from './pin'
import { start } from './processes'

/** An answer as it goes into a `Response`; what is not text travels as base64. */
export type Answer = { status: number; headers: Record<string, string>; text: string | null; base64: string }

/** These belong to the connection: whoever answers makes them anew. */
const TRANSPORT = ['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding']

export async function record({ url, method, headers, body }: Shot): Promise<Answer> {
  const answer = await fetch(url, { method, headers, body, redirect: 'manual', decompress: false })
  const bytes = await answer.bytes()
  const kept = Object.fromEntries([...answer.headers].filter(([name]) => !TRANSPORT.includes(name)))
  const isText = !kept['content-encoding'] && /^text\/|json/.test(kept['content-type'] ?? '')
  return {
    status: answer.status,
    headers: kept,
    text: isText ? new TextDecoder().decode(bytes) : null,
    base64: isText ? '' : bytes.toBase64(),
  }
}

/** A bare server that answers everything with this. */
export async function startBare(answer: Answer, folder: string, isFile = false) {
  const file = join(folder, 'answer.json')
  await Bun.write(file, JSON.stringify({ ...answer, isFile }))
  const child = start(onServerCore([process.execPath, join(import.meta.dir, 'bare.ts'), file]), {
    stdout: 'pipe',
    cwd: folder,
  })
  const { value } = await child.stdout.getReader().read()
  if (!value) throw new Error('The bare server did not start')
  return {
    url: `http://127.0.0.1:${Number(new TextDecoder().decode(value))}`,
    pid: child.pid,
    stop: child.stop,
  }
}
