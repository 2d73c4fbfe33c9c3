import { unreached } from './failures'

/** How long a body may pause. Only the storage's own pauses count: whoever reads may be slow. */
const PAUSE_MS = 15_000

/** The body of an answer, which fails instead of hanging when its sender falls silent. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  stop: AbortController,
  pauseMs = PAUSE_MS,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(() => stop.abort(new DOMException('', 'TimeoutError')), pauseMs)
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(unreached(error))
        } finally {
          clearTimeout(timer)
        }
      },
      cancel() {
        stop.abort()
      },
    },
    { highWaterMark: 0 },
  )
}
