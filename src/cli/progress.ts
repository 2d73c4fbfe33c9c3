const AT_A_TERMINAL_MS = 100
const ELSEWHERE_MS = 10_000

/** Reports progress: one updating line at a terminal, elsewhere a line now and then. A new stage is reported at once. */
export function progress(stream: NodeJS.WriteStream = process.stderr) {
  const isTerminal = stream.isTTY === true
  let reportedAt = Number.NEGATIVE_INFINITY
  let reportedPart = ''
  return {
    say(line: () => string, part = '') {
      const at = performance.now()
      if (part === reportedPart && at - reportedAt < (isTerminal ? AT_A_TERMINAL_MS : ELSEWHERE_MS)) return
      reportedAt = at
      reportedPart = part
      stream.write(isTerminal ? `\r\u001b[K${line()}` : `${line()}\n`)
    },
    done() {
      if (isTerminal) stream.write('\r\u001b[K')
    },
  }
}
