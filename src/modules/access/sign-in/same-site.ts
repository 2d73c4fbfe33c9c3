/** Whether a link on another site led here. */
export const comesFromElsewhere = (request: Request) =>
  ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
