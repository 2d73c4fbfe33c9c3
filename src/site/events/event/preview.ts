/** The picture that is shown where a link to an event is shared. */
export const previewPath = (eventId: string) => `/events/${eventId}/preview.png`
