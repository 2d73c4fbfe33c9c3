import { GROUPS } from '../groups'
import { ADMINISTRATOR_NAME, ORGANIZER_NAMES, PEOPLE } from '../people'
import { PLANS } from '../plans'

/** Pictures of the community. Not everyone and everything has one: pages must look well without. */
export const AVATARS = PEOPLE.filter(
  ({ name }, index) =>
    index < 10 || index % 3 === 0 || ORGANIZER_NAMES.has(name) || name === ADMINISTRATOR_NAME,
).map(({ username }) => ({ username, file: `avatar-${username}.webp` }))

export const GROUP_PICTURES = GROUPS.map(({ urlname }, group) => ({
  urlname,
  group,
  photo: `group-${urlname}.png`,
  hero: `cover-${urlname}.jpg`,
}))

export const EVENT_PHOTOS = PLANS.flatMap(({ title, group }, index) =>
  index % 3 === 1 ? [] : [{ title, group, file: `event-${title.toLowerCase().replaceAll(' ', '-')}.jpg` }],
)
