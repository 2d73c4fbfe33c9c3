import { Elysia } from 'elysia'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { transaction } from '@/db/transaction'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { plain } from '@/http/plain'
import { protocol } from '@/http/protocol'
import { DOCUMENT, type Traits } from '@/http/route-traits'
import { passCache } from '@/modules/passes/passes/cache'
import { passIdOf } from '@/modules/passes/passes/id'
import { isInUse, NOT_IN_USE } from '@/modules/passes/passes/in-use'
import { refusedForm, toPass } from '@/modules/passes/passes/pass-form'
import { PassInput } from '@/modules/passes/passes/schema'
import { follow } from '@/modules/people/follows/follow'
import { Following } from '@/modules/people/follows/schema'
import { form } from '@/web/form'
import { page } from '@/web/page'
import { redirect } from '@/web/redirect'
import { sendContact } from './contact'

/** For the form on the card, which knows only the pass. */
const followPassOwner = action({
  name: 'followPassOwner',
  access: 'user',
  summary: 'Follow the owner of a pass',
  input: PassInput,
  output: Following,
  errors: ['not_found', 'gone'],
  failureLimit: true,
  run: async (caller, input) => {
    const id = passIdOf(input.id)
    const known = id === undefined ? null : await passCache.get(id)
    if (known === null) throw notFound('Pass')
    if (!isInUse(known)) throw NOT_IN_USE
    const { owner } = known
    if (owner === null) throw notFound('Owner')
    await transaction((tx) => follow(tx, caller, owner.id))
    return { following: true } as const
  },
})

/** A browser document; shows the caller's rate limit without charging it. */
const CONTACT: Traits = { ...DOCUMENT, identifies: true, showsBudget: true }

const readContact = protocol(
  {
    name: 'readPassContact',
    summary: 'Save the owner of a pass as a contact',
    description:
      'A vCard 3.0 with name, picture, profile address and links; for a private profile only name and picture. Does not create a connection.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Of the pass, in upper or lower case.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'The contact.', content: { 'text/vcard': { schema: { type: 'string' } } } },
      304: NOT_MODIFIED,
      404: refused('not_found'),
      410: refused('gone'),
      429: refused('rate_limited'),
    },
  },
  sendContact,
  CONTACT,
)

const followForm = form(followPassOwner, {
  fields: {},
  page: refusedForm('follow'),
  done: toPass,
})

/** Sign-in returns here with GET after a form needed a session. */
const back = page((visit, { id }) => redirect(visit, 303, toPass({ id })))

const cardRoutes = new Elysia({ tags: ['MeetPass'] })
  .get('/pass/:id/contact.vcf', ...readContact)
  .get('/PASS/:id/contact.vcf', ...plain(sendContact, CONTACT))
  .post('/pass/:id/follow', ...followForm)
  .get('/pass/:id/claim', ...back)
  .get('/pass/:id/connect', ...back)
  .get('/pass/:id/follow', ...back)

export const cardArea = {
  routes: cardRoutes,
}
