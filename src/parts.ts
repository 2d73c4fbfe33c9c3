/** What the processes of Folkmoot are made of, each loaded when it is asked for. A bundle holds all of them. */
export const parts = {
  server: () => import('./run-server'),
  api: () => import('./run-api-process'),
  worker: () => import('../workers/run-worker'),
  commands: () => import('./cli/folkmoot'),
}
