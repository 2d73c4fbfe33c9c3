export type Letter = { from: string; to: string[]; data: string }

/** A mail server that takes whatever comes, or refuses it all. */
export function startSmtp({ refuses = false, port = 0 } = {}) {
  const letters: Letter[] = []
  const conversations = new Map<object, { letter: Letter; inData: boolean; buffer: string }>()
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        conversations.set(socket, { letter: { from: '', to: [], data: '' }, inData: false, buffer: '' })
        socket.write('220 letters.example ESMTP\r\n')
      },
      close: (socket) => void conversations.delete(socket),
      data(socket, chunk) {
        const talk = conversations.get(socket)
        if (!talk) return
        talk.buffer += chunk.toString()
        for (let end = talk.buffer.indexOf('\r\n'); end >= 0; end = talk.buffer.indexOf('\r\n')) {
          const line = talk.buffer.slice(0, end)
          talk.buffer = talk.buffer.slice(end + 2)
          if (talk.inData && line !== '.') talk.letter.data += `${line}\n`
          else if (talk.inData) {
            talk.inData = false
            letters.push(talk.letter)
            talk.letter = { from: '', to: [], data: '' }
            socket.write('250 taken\r\n')
          } else if (/^EHLO|^HELO/i.test(line)) socket.write('250 letters.example\r\n')
          else if (/^RCPT/i.test(line) && refuses) socket.write('550 no such mailbox\r\n')
          else if (/^DATA/i.test(line)) {
            talk.inData = true
            socket.write('354 go on\r\n')
          } else if (/^QUIT/i.test(line)) {
            socket.write('221 bye\r\n')
            socket.end()
          } else {
            if (/^MAIL FROM/i.test(line)) talk.letter.from = line
            if (/^RCPT TO/i.test(line)) talk.letter.to.push(line.slice('RCPT TO:'.length))
            socket.write('250 fine\r\n')
          }
        }
      },
    },
  })
  return { url: `smtp://127.0.0.1:${server.port}`, letters, stop: () => server.stop(true) }
}

/** What a letter says, with its soft line breaks and escapes undone. */
export const readLetter = ({ data }: Letter) =>
  data
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
