import { type Resource, resource } from './mcp/resource'
import { listScopes } from './modules/access/scopes/actions'
import { readProfile } from './modules/account/me/actions'
import { listGroups, readGroup } from './modules/community/groups/actions'
import { readEvent } from './modules/gatherings/events/actions'
import { listEvents } from './modules/gatherings/events/list/actions'
import { listBadges } from './modules/recognition/badges/actions'
import { readGroupLeaderboard, readLeaderboard } from './modules/recognition/leaderboards/actions'

/** What agents can read at an address, in the order in which it is listed. */
export const resources: Resource[] = [
  resource(listEvents, 'folkmoot://events', {
    name: 'events',
    title: 'Upcoming events',
    description: 'The next public events.',
  }),
  resource(listGroups, 'folkmoot://groups', {
    name: 'groups',
    title: 'Groups',
    description: 'The groups with the most members.',
  }),
  resource(readProfile, 'folkmoot://profile', {
    name: 'profile',
    title: 'My profile',
    description: 'The person for whom you act.',
  }),
  resource(listBadges, 'folkmoot://badges', {
    name: 'badges',
    title: 'Badges',
    description: 'The badges of the platform.',
  }),
  resource(readLeaderboard, 'folkmoot://leaderboard', {
    name: 'leaderboard',
    title: 'Leaderboard',
    description: 'Who has the most points.',
  }),
  resource(listScopes, 'folkmoot://scopes', {
    name: 'scopes',
    title: 'Scopes',
    description: 'What a token can be allowed to do.',
  }),
  resource(readEvent, 'folkmoot://events/{eventId}', {
    name: 'event',
    title: 'An event',
    description: 'One event by its id.',
  }),
  resource(readGroup, 'folkmoot://groups/{slug}', {
    name: 'group',
    title: 'A group',
    description: 'One group by its urlname.',
  }),
  resource(readGroupLeaderboard, 'folkmoot://leaderboard/{slug}', {
    name: 'group-leaderboard',
    title: 'Leaderboard of a group',
    description: 'Who has the most points in a group, by its urlname.',
  }),
]
