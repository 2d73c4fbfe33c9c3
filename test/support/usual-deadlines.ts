import { setPatience } from '@/core/patience'

/** For a test in which a deadline has to pass: `using _ = usualDeadlines()` sets those of production until it ends. */
export function usualDeadlines(): Disposable {
  const before = setPatience(1)
  return { [Symbol.dispose]: () => void setPatience(before) }
}
