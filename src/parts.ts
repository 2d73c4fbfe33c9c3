/** What the processes of Folkmoot are made of, each loaded when it is asked for. A bundle holds all of them. */
export const parts = {
  server: () => import('./processes/run-server'),
  api: () => import('./processes/run-api-process'),
  worker: () => import('./processes/run-worker'),
  commands: () => import('./cli/folkmoot'),
}
