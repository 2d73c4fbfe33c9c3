import { autocannon } from './autocannon'
import type { Generator } from './generator'
import { wrk } from './wrk'

export const chooseGenerator = (folder: string): Generator =>
  Bun.which('wrk') === null ? autocannon : wrk(folder)
