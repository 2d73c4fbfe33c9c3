export const MANAGE = '/manage'
export const groupPath = (groupId: string) => `${MANAGE}/groups/${groupId}`
export const eventPath = (groupId: string, eventId: string) => `${groupPath(groupId)}/events/${eventId}`
export const badgePath = (groupId: string, badgeId: string) => `${groupPath(groupId)}/badges/${badgeId}`

/** Where a form redirects after changing the object in the address. */
export const groupAt =
  (rest = '') =>
  ({ groupId }: Record<string, unknown>) =>
    groupPath(String(groupId)) + rest
export const eventAt =
  (rest = '') =>
  ({ groupId, eventId }: Record<string, unknown>) =>
    eventPath(String(groupId), String(eventId)) + rest
export const badgeAt =
  (rest = '') =>
  ({ groupId, badgeId }: Record<string, unknown>) =>
    badgePath(String(groupId), String(badgeId)) + rest
