import openapiTypescript, { astToString } from 'openapi-typescript'

export const generate = async (description: URL): Promise<string> =>
  astToString(await openapiTypescript(description, { silent: true }))
