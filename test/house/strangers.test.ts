import { beforeAll, describe, expect, test } from 'bun:test'
import type { Action } from '@/core/action'
import {
  api,
  type Door,
  doors,
  isReading,
  type Reader,
  readerOf,
  STRANGER,
  site,
  type Told,
} from '../support/doors'
import { makeHidingCommunity } from '../support/hiding'
import { type Input, inputsOf } from '../support/inputs'

/** What pages, feeds and widgets show to anyone, beside what the API does. One is added here on purpose or not at all. */
const OPEN_ON_SITE = [
  'listBadges',
  'listEventGuests',
  'listEvents',
  'listGroupMembers',
  'listGroups',
  'listUserConnections',
  'listUserFollowers',
  'listUserFollowing',
  'listUsers',
  'readBadge',
  'readEvent',
  'readGroup',
  'readGroupLeaderboard',
  'readLeaderboard',
  'readLeaderboardMovers',
  'readRsvpSummary',
  'readUser',
  'readUserGroupBadges',
]

/** Open as well, and tell of nothing but what their code opens, or of nobody. */
const BY_CODE = ['listScopes', 'readCheckin', 'readClaim', 'readGroupInvite']

/** What the clock changes. */
const RESTLESS = /"(start|end)":"[^"]*"/g

/** Seats that are taken, members of a group and awards of a badge, whoever they are of. */
const COUNTS_EVERYONE =
  /"(total":\d+,"confirmed|rsvpCount|localRsvpCount|memberCount|favoritesCount|awardedCount)":\d+/g

let community: Awaited<ReturnType<typeof makeHidingCommunity>>
beforeAll(async () => {
  community = await makeHidingCommunity()
})

type Answers = Record<string, Told>

/** All that a reader is told at a door by these actions, under every input that names something. */
async function walk(door: Door, reader: Reader, actions: Action[]): Promise<Answers> {
  const answers: Answers = {}
  for (const action of actions)
    for (const input of inputsOf(action, community.values)) {
      const { status, text } = await door.ask(reader, action, input)
      answers[keyOf(action, input)] = {
        status,
        text: text.replace(RESTLESS, '').replace(COUNTS_EVERYONE, ''),
      }
    }
  return answers
}

const keyOf = ({ name }: Action, input: Input) => `${name} ${JSON.stringify(input)}`

const isOf =
  ({ name }: Action) =>
  ([key]: [string, Told]) =>
    key.startsWith(`${name} `)

const openAt = (door: Door) => door.actions.filter(door.isOpenToStrangers)

/** All that strangers are told, by the door. */
const walkAll = async (): Promise<Record<string, Answers>> =>
  Object.fromEntries(
    await Promise.all(
      doors.map(async (door) => [door.name, await walk(door, STRANGER, openAt(door))] as const),
    ),
  )

const first = (action: Action) => inputsOf(action, community.values)[0] as Input

/** Which of what hides is told of by name. */
const toldOf = (answers: Answers) => {
  const all = Object.values(answers).map(({ text }) => text)
  return community.words
    .filter(({ words }) => words.some((word) => all.some((text) => text.includes(word))))
    .map(({ what }) => what)
}

const givenAway = (answers: Answers) =>
  community.confidential.filter((word) => Object.values(answers).some(({ text }) => text.includes(word)))

test('the list of actions open on the site is exact', () => {
  const open = site.actions.filter(({ openOnSite }) => openOnSite)
  expect(open.map(({ name }) => name).sort()).toEqual(OPEN_ON_SITE)
  expect(open.filter((action) => !isReading(action))).toEqual([])
})

describe.each(doors)('at $name', (door) => {
  test('an anonymous visitor reads what is open and nothing else', async () => {
    expect(door.actions.length).toBeGreaterThan(0)
    for (const action of door.actions) {
      if (door.isOpenToStrangers(action)) {
        const answers = Object.values(await walk(door, STRANGER, [action]))
        const statuses = new Set(answers.map(({ status }) => status))
        expect([action.name, statuses.has(200)]).toEqual([action.name, true])
        expect(statuses.difference(new Set([200, 404]))).toEqual(new Set())
      } else {
        const { status, text } = await door.ask(STRANGER, action, first(action))
        expect([action.name, status, JSON.parse(text).code]).toEqual([action.name, 401, 'unauthorized'])
      }
    }
  })
})

test('an invalid credential is refused where anonymous visitors are allowed', async () => {
  for (const action of openAt(site)) {
    if (action.access === 'none') continue
    const { status } = await site.ask({ visitor: 'refused' }, action, first(action))
    expect([action.name, status]).toEqual([action.name, 401])
  }
})

test('hidden objects are visible only to those who may see them', async () => {
  const without = await walkAll()
  await community.hide()
  const told = await walkAll()
  // No name, no number, no order and no refusal differs from those of a place in which there is nothing to hide.
  expect(told).toEqual(without)
  expect(Object.values(told).flatMap(toldOf)).toEqual([])
  expect(Object.values(told).flatMap(givenAway)).toEqual([])

  // Somebody without a role is told the same as a stranger, to the letter, whatever the door.
  const onSite = told[site.name] as Answers
  for (const door of doors) {
    const shared = openAt(site).filter((action) => door.actions.includes(action))
    const own = await walk(door, readerOf(community.member), shared)
    expect(own).toEqual(Object.fromEntries(Object.keys(own).map((key) => [key, onSite[key] as Told])))
  }

  // Whoever runs the place finds all of it by the same walk.
  const found = await walk(api, readerOf(community.admin), api.actions.filter(isReading))
  expect(toldOf(found)).toEqual(community.words.map(({ what }) => what))
  expect(givenAway(found)).toEqual(community.confidential)

  // And once it hides no more, everyone does: each action would have told of it.
  await community.show()
  const shown = (await walkAll())[site.name] as Answers
  expect(toldOf(shown)).toEqual(community.words.map(({ what }) => what))
  expect(givenAway(shown)).toEqual([])
  const silent = openAt(site).filter((action) =>
    Bun.deepEquals(Object.entries(shown).filter(isOf(action)), Object.entries(onSite).filter(isOf(action))),
  )
  expect(silent.map(({ name }) => name).sort()).toEqual(BY_CODE)
})
