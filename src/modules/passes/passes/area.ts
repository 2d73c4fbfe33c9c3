import { Elysia } from 'elysia'
import { refused } from '@/http/openapi/shared'
import type { Protocol } from '@/http/protocol'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { form } from '@/web/form'
import { changePass, listPasses, readPass, readQrPass } from './actions'
import { claimPass, releasePass, rotatePass } from './lifecycle/actions'
import { refusedForm, toPass } from './pass-form'

const passesTools = toolbox({
  meetpass_list: [
    listPasses,
    {
      title: 'List my passes',
      description: 'Lists the QR pass and the NFC tags of the person, with their settings.',
    },
  ],
  meetpass_update: [
    changePass,
    {
      title: 'Change a pass',
      idempotent: true,
      destructive: true,
      description:
        'Changes label, design or settings of a pass by its id from meetpass_list. With isActive 0 a tap shows that it is not in use; with autoFollow 1 everyone who taps it follows the person: ask first. Example: {"id":"…","label":"Badge"}.',
    },
  ],
})

const api = new Elysia({ prefix: '/v1/meetpass', tags: ['MeetPass'] })
  .get('', ...serve(listPasses))
  .get('/qr', ...serve(readQrPass))
  .get('/:id', ...serve(readPass))
  .patch('/:id', ...serve(changePass))
  .post('/:id/claim', ...serve(claimPass))
  .post('/:id/release', ...serve(releasePass))
  .post('/:id/rotate', ...serve(rotatePass))

const CLAIM: Protocol = {
  name: 'claimPassByForm',
  summary: 'Claim a blank tag in the browser',
  description:
    'The form on the page of a blank tag, for a signed-in browser, with a CSRF token. Programs use ' +
    '`POST /v1/meetpass/{id}/claim`.',
  parameters: [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: 'Of the pass, in upper or lower case.',
      schema: { type: 'string' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['csrf'],
          properties: { csrf: { type: 'string', description: 'The token of the form.' } },
        },
      },
    },
  },
  responses: {
    303: { description: 'Redirects to the pass, or to the sign-in.' },
    401: refused('unauthorized'),
    403: refused('forbidden'),
    404: refused('not_found'),
    409: refused('conflict'),
  },
}

const claiming = {
  fields: {},
  page: refusedForm('claim'),
  done: toPass,
}

const passRoutes = new Elysia({ tags: ['MeetPass'] })
  .use(api)
  .post('/pass/:id/claim', ...form(claimPass, { ...claiming, described: CLAIM }))
  .post('/PASS/:id/claim', ...form(claimPass, claiming))

export const passesArea = {
  routes: passRoutes,
  tools: passesTools,
}
