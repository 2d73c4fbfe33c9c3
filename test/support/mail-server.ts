import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export type Letter = { to: string[]; id: string; data: string }

/** What happens to a mail on its way; throws to refuse it. `cut` ends the connection without a word. */
type Moment = (talk: { to: string; cut: () => Promise<never> }) => unknown

type Rules = Partial<Record<'sender' | 'recipient' | 'beforeDot' | 'taken' | 'afterDot', Moment>>

/** A real mail server that takes whatever comes, unless it is told otherwise. */
export async function startMailServer({ port = 0, ...options }: SMTPServerOptions & { port?: number } = {}) {
  const letters: Letter[] = []
  let connections = 0
  const cutOf = (session: SMTPServerSession) => () => {
    for (const connection of server.connections)
      if (connection.session.id === session.id)
        (connection as { _socket?: { destroy(): void } })._socket?.destroy()
    return new Promise<never>(() => {})
  }
  const at = async (
    moment: Moment | undefined,
    session: SMTPServerSession,
    to: string,
    answer: (error?: Error | null) => void,
  ) => {
    try {
      await moment?.({ to, cut: cutOf(session) })
      answer()
    } catch (error) {
      answer(error as Error)
    }
  }
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, answer) {
      connections += 1
      answer()
    },
    onMailFrom: ({ address }, session, answer) => void at(opened.rules.sender, session, address, answer),
    onRcptTo: ({ address }, session, answer) => void at(opened.rules.recipient, session, address, answer),
    onData(stream, session, answer) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const [first = ''] = to
      void opened.rules.beforeDot?.({ to: first, cut: cutOf(session) })
      let data = ''
      stream.on('data', (chunk: Buffer) => {
        data += chunk.toString()
      })
      stream.on('end', () => {
        const letter = {
          to,
          id: /^Message-ID: (.*)$/m.exec(data)?.[1]?.trim() ?? '',
          data: data.replace(/\r\n/g, '\n'),
        }
        void at(
          async (talk) => {
            await opened.rules.taken?.(talk)
            letters.push(letter)
            await opened.rules.afterDot?.(talk)
          },
          session,
          first,
          answer,
        )
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const opened = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters,
    rules: {} as Rules,
    connections: () => connections,
    to: (address: string) => letters.filter(({ to }) => to.includes(address)),
    stop: () => new Promise<void>((resolve) => void server.close(resolve)),
  }
  return opened
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** An answer of the server that is not yes. */
export const reply = (responseCode: number, text = 'no') => Object.assign(new Error(text), { responseCode })

/** What a letter says, with its soft line breaks and escapes undone. */
export const readLetter = ({ data }: Letter) =>
  data
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
