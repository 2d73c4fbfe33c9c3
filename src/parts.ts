/** Entry modules of the processes, loaded on demand. The bundle contains all of them. */
export const parts = {
  server: () => import('./processes/run-server'),
  api: () => import('./processes/run-api-process'),
  worker: () => import('./processes/run-worker'),
  commands: () => import('./cli/folkmoot'),
}
