import { config } from '@/config/config'
import { iso } from '@/core/shapes'
import type { FanRow, GroupRow, UpcomingRow } from './queries'
import type { GroupDetail, GroupListItem } from './schema'

export const presentGroup = (group: GroupRow): GroupListItem => ({
  id: group.id,
  urlname: group.urlname,
  name: group.name,
  description: group.description,
  link: `${config.baseUrl}/groups/${group.urlname}`,
  website: group.website,
  memberCount: group.memberCount,
  photoUrl: group.photoUrl,
  tags: group.tags,
  socialLinks: group.socialLinks,
  isFeatured: group.isFeatured,
  favoritesCount: group.favoritesCount,
})

export const presentDetail = (group: GroupRow, upcoming: UpcomingRow[]): GroupDetail => ({
  ...presentGroup(group),
  heroImageUrl: group.heroImageUrl,
  themeColor: group.themeColor,
  upcomingEvents: upcoming.map(({ id, title, startTime, platformEventUrl }) => ({
    id,
    title,
    dateTime: iso(startTime),
    eventUrl: `${config.baseUrl}/events/${id}`,
    platformEventUrl,
  })),
})

export const presentFan = ({ username, name, avatarUrl, at }: FanRow) => ({
  username,
  name,
  avatarUrl,
  favoritedAt: iso(at),
})
