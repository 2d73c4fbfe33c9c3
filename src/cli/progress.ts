const AT_A_TERMINAL_MS = 100
const ELSEWHERE_MS = 10_000

/**
 * Says how far work has come: in one line that changes at a terminal, elsewhere in a line now and then. That another part
 * of the work has begun is said at once.
 */
export function progress(stream: NodeJS.WriteStream = process.stderr) {
  const isTerminal = stream.isTTY === true
  let saidAt = Number.NEGATIVE_INFINITY
  let saidOf = ''
  return {
    say(line: () => string, part = '') {
      const at = performance.now()
      if (part === saidOf && at - saidAt < (isTerminal ? AT_A_TERMINAL_MS : ELSEWHERE_MS)) return
      saidAt = at
      saidOf = part
      stream.write(isTerminal ? `\r\u001b[K${line()}` : `${line()}\n`)
    },
    done() {
      if (isTerminal) stream.write('\r\u001b[K')
    },
  }
}
