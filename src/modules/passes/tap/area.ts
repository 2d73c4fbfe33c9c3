import { Elysia } from 'elysia'
import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { refused } from '@/http/openapi/shared'
import { PERSONAL } from '@/http/route-traits'
import { HIDDEN, serveDocument } from '@/http/serve'
import { form } from '@/web/form'
import { lockStrangerCounts } from '../connections/queries'
import { refusedForm, toPass } from '../passes/pass-form'
import { PASS_PARAMETER } from '../passes/schema'
import { connectByPass, tapPass } from './actions'
import { refuseTap, sendTap } from './answer'
import { insertAdopted, listPassesTapped, takeStranger } from './queries'
import { announce } from './record'
import { strangerHash, strangerOf } from './stranger'

/** More than anyone meets in a day; keeps the newest. */
const ADOPTED_MAX = 200

/**
 * Converts anonymous taps into connections on sign-in. One statement deletes and returns the records, so that concurrent sign-ins
 * cannot both adopt them.
 */
async function adoptTaps(tx: Tx, userId: string, request: Request): Promise<void> {
  const stranger = strangerOf(request)
  if (!stranger) return
  const hash = strangerHash(stranger)
  await lockStrangerCounts(tx, await listPassesTapped(tx, hash))
  const taken = await takeStranger(tx, hash, ADOPTED_MAX)
  if (taken.length === 0) return
  const taps = taken.map(({ ownerId, passId, createdAt }) => ({
    id: newId(),
    ownerId,
    passId,
    at: iso(new Date(createdAt)),
  }))
  await announce(tx, await insertAdopted(tx, userId, taps))
}

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

const TAPPED = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['pass', 'owner', 'connected'],
      properties: {
        pass: {
          type: 'object',
          description: 'The pass that was tapped.',
          required: ['id', 'type', 'action', 'design'],
          properties: {
            id: text,
            type: { type: 'string', enum: ['qrcode', 'nfc'], description: 'A printed symbol or a tag.' },
            action: {
              type: 'string',
              enum: ['profile', 'contact', 'follow'],
              description: 'What the page opens with.',
            },
            design: {
              type: ['object', 'null'],
              required: ['name', 'imageUrl', 'modelUrl', 'themeColor'],
              properties: {
                name: text,
                imageUrl: textOrNull,
                modelUrl: textOrNull,
                themeColor: textOrNull,
              },
            },
          },
        },
        owner: {
          type: ['object', 'null'],
          description: 'Null for a blank tag. For a private profile, only name and picture.',
          required: ['name', 'username', 'avatarUrl', 'bio', 'location', 'socialLinks', 'themeColor'],
          properties: {
            name: text,
            username: textOrNull,
            avatarUrl: textOrNull,
            bio: textOrNull,
            location: textOrNull,
            socialLinks: { type: 'array', items: text },
            themeColor: textOrNull,
          },
        },
        connected: { type: 'boolean', description: 'Whether the visitor and the owner have met.' },
      },
    },
  },
}

const [showTap, documented] = serveDocument(tapPass, {
  traits: PERSONAL,
  read: ({ request }, { id }) => ({ id, request }),
  send: sendTap,
  refused: refuseTap,
  parameters: [PASS_PARAMETER],
  responses: {
    200: {
      description: 'The card of the owner, or what can be done with a blank tag.',
      content: { 'text/html': { schema: text }, 'application/json': { schema: TAPPED } },
    },
    401: refused('unauthorized'),
    404: refused('not_found'),
    410: refused('gone'),
    429: refused('rate_limited'),
  },
})

/** For visitors who came by a link, which does not connect. */
const connectForm = form(connectByPass, {
  fields: {},
  page: refusedForm('connect'),
  done: toPass,
})

const tapRoutes = new Elysia({ tags: ['MeetPass'] })
  .get('/pass/:id', showTap, documented)
  .get('/PASS/:id', showTap, HIDDEN)
  .post('/pass/:id/connect', ...connectForm)

export const tapsArea = {
  routes: tapRoutes,
  signInHooks: [adoptTaps],
}
