import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { plain } from '@/http/plain'
import { DOCUMENT } from '@/http/route-traits'
import { page } from '@/web/page'
import { mailboxJson, showMail, showMailbox } from './page'

/** The demo's mail stays on its machine; production does not have these paths. */
export const mailboxPages = new Elysia()
if (config.mode !== 'production')
  mailboxPages
    .get('/dev/mailbox', ...page(showMailbox, { traits: DOCUMENT }))
    .get('/dev/mailbox.json', ...plain(mailboxJson))
    .get('/dev/mailbox/:id', ...plain(showMail))
