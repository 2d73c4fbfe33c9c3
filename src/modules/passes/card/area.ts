import { Elysia } from 'elysia'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { transaction } from '@/db/transaction'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { DOCUMENT } from '@/http/route-traits'
import { HIDDEN, serveDocument } from '@/http/serve'
import { findPassInUse } from '@/modules/passes/passes/look-up'
import { refusedForm, toPass } from '@/modules/passes/passes/pass-form'
import { PASS_PARAMETER, PassInput } from '@/modules/passes/passes/schema'
import { follow } from '@/modules/people/follows/follow'
import { Following } from '@/modules/people/follows/schema'
import { form } from '@/web/form'
import { page } from '@/web/page'
import { redirect } from '@/web/redirect'
import { readPassContact, sendContact } from './contact'

/** For the form on the card, which knows only the pass. */
const followPassOwner = action({
  name: 'followPassOwner',
  access: 'user',
  summary: 'Follow the owner of a pass',
  input: PassInput,
  output: Following,
  errors: ['not_found', 'gone'],
  failureLimit: true,
  run: async (caller, { id }) => {
    const { owner } = await findPassInUse(id)
    if (owner === null) throw notFound('Owner')
    await transaction((tx) => follow(tx, caller, owner.id))
    return { following: true } as const
  },
})

const [showContact, documented] = serveDocument(readPassContact, {
  // A browser document; shows the caller's rate limit without charging it.
  traits: { ...DOCUMENT, identifies: true, showsBudget: true },
  send: sendContact,
  parameters: [PASS_PARAMETER],
  responses: {
    200: { description: 'The contact.', content: { 'text/vcard': { schema: { type: 'string' } } } },
    304: NOT_MODIFIED,
    404: refused('not_found'),
    410: refused('gone'),
    429: refused('rate_limited'),
  },
})

const followForm = form(followPassOwner, {
  fields: {},
  page: refusedForm('follow'),
  done: toPass,
})

/** Sign-in returns here with GET after a form needed a session. */
const back = page((visit, { id }) => redirect(visit, 303, toPass({ id })))

const cardRoutes = new Elysia({ tags: ['MeetPass'] })
  .get('/pass/:id/contact.vcf', showContact, documented)
  .get('/PASS/:id/contact.vcf', showContact, HIDDEN)
  .post('/pass/:id/follow', ...followForm)
  .get('/pass/:id/claim', ...back)
  .get('/pass/:id/connect', ...back)
  .get('/pass/:id/follow', ...back)

export const cardArea = {
  routes: cardRoutes,
}
