import type { Visit } from '@/http/visit'
import type { Webhook } from '@/modules/developers/webhooks/schema'
import { secretPage } from '@/site/parts/secret'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { webhookPath } from '../developer-page'

/** Shown once, after creation. */
export const secretOf = (visit: Visit, { id = '', secret = '' }: Partial<Webhook> = {}): Page => {
  const words = wordsFor(visit)
  const { developer } = words
  return secretPage(
    {
      title: developer.keepSecret,
      text: developer.signsText,
      secrets: [{ label: developer.signingSecret, value: secret }],
      to: { href: webhookPath(id), label: developer.kept },
    },
    words,
  )
}
