import { config } from '@/config/config'

/** Moments at which a crash is hardest to survive. */
export type Failpoint =
  | 'before-commit'
  | 'after-commit'
  | 'after-claim'
  | 'after-send'
  | 'after-record'
  | 'after-receive'
  | 'after-keep'
  | 'after-inspect'
  | 'after-render'
  | 'after-files'
  | 'after-ready'
  | 'after-removal'
  | 'after-verification'
  | 'after-push'
  | 'after-mail'

/** Kills the process here if a test asks for it. */
export function failpoint(name: Failpoint) {
  if (config.failpoint === name) process.kill(process.pid, 'SIGKILL')
}
