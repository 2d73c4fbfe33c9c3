import { createInterface } from 'node:readline'

const HELP = `folkmoot mcp

Speaks MCP on standard input and output for clients that know nothing else, and passes it on to a server.

  FOLKMOOT_URL    the server, such as https://community.example
  FOLKMOOT_TOKEN  a personal access token from its /settings/tokens

  FOLKMOOT_URL=https://community.example FOLKMOOT_TOKEN=fm_pat_… npx --yes bun@1.4.4 run folkmoot mcp`

type Message = { id?: string | number | null }

/** Runs where the agent runs, without a database or server settings. */
export async function bridge(words: string[], env: Record<string, string | undefined>): Promise<number> {
  const { FOLKMOOT_URL: url = '', FOLKMOOT_TOKEN: token = '' } = env
  if (words.includes('--help') || !URL.canParse(url) || token === '') {
    console.error(HELP)
    return words.includes('--help') ? 0 : 2
  }
  const address = new URL('/mcp', url)
  // Sequential, because a later message may depend on an earlier one.
  const spoken: Spoken = { version: null }
  for await (const line of createInterface({ input: process.stdin }))
    if (line.trim() !== '') await pass(line, address, token, spoken)
  return 0
}

/** Over HTTP a client sends the negotiated version with every request. */
type Spoken = { version: string | null }

async function pass(line: string, address: URL, token: string, spoken: Spoken): Promise<void> {
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  const fail = (message: string) => {
    for (const id of idsIn(line))
      say(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } }))
  }
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        ...(spoken.version && { 'mcp-protocol-version': spoken.version }),
      },
      body: line,
      redirect: 'error',
    })
    const text = await answer.text()
    spoken.version ??= versionIn(text)
    if (answer.status === 200) say(text)
    else if (answer.status !== 204) fail(messageIn(text) ?? `${address.host} answered ${answer.status}`)
  } catch (error) {
    fail(`${address.host} cannot be reached: ${(error as Error).message}`)
  }
}

/** The ids that await an answer. */
function idsIn(line: string): (string | number | null)[] {
  try {
    const messages = [JSON.parse(line)].flat() as Message[]
    return messages.map(({ id }) => id).filter((id) => id !== undefined)
  } catch {
    return [null]
  }
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error
  } catch {
    return undefined
  }
}

/** The version in the answer to `initialize`. */
function versionIn(text: string): string | null {
  try {
    return (JSON.parse(text) as { result?: { protocolVersion?: string } }).result?.protocolVersion ?? null
  } catch {
    return null
  }
}
