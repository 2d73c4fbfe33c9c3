import errors from '../../docs/errors.md' with { type: 'text' }
import events from '../../docs/events.md' with { type: 'text' }
import feeds from '../../docs/feeds.md' with { type: 'text' }
import mail from '../../docs/mail.md' with { type: 'text' }
import mcp from '../../docs/mcp.md' with { type: 'text' }
import meetpass from '../../docs/meetpass.md' with { type: 'text' }
import oauth from '../../docs/oauth.md' with { type: 'text' }
import printSheets from '../../docs/print-sheets.md' with { type: 'text' }
import recognition from '../../docs/recognition.md' with { type: 'text' }
import rsvp from '../../docs/rsvp.md' with { type: 'text' }
import schemas from '../../docs/schemas.md' with { type: 'text' }
import uploads from '../../docs/uploads.md' with { type: 'text' }
import webhooks from '../../docs/webhooks.md' with { type: 'text' }
import widgets from '../../docs/widgets.md' with { type: 'text' }

/** A page of `docs/` for developers on the API; those for operators and contributors are not served. */
export type Guide = { name: string; title: string; text: string }

const guide = (name: string, text: string): Guide => ({
  name,
  title: /^# (.+)/.exec(text)?.[1] ?? name,
  text,
})

/** In reading order. */
export const GUIDES: readonly Guide[] = [
  guide('oauth', oauth),
  guide('errors', errors),
  guide('rsvp', rsvp),
  guide('webhooks', webhooks),
  guide('events', events),
  guide('schemas', schemas),
  guide('feeds', feeds),
  guide('widgets', widgets),
  guide('uploads', uploads),
  guide('recognition', recognition),
  guide('meetpass', meetpass),
  guide('print-sheets', printSheets),
  guide('mcp', mcp),
  guide('mail', mail),
]

export const guideNamed = (name: string): Guide | undefined => GUIDES.find((one) => one.name === name)

/** Renders HTML; links between guides lead to their pages, links to other files become text. */
export const renderGuide = ({ text }: Guide): string =>
  Bun.markdown.html(text.replace(/\[([^\]]*)\]\(([\w./-]+\.md)(#[\w-]+)?\)/g, linked), {
    headings: { ids: true },
  })

function linked(_: string, label: string, file: string, anchor = ''): string {
  const name = file.replace(/\.md$/, '')
  return guideNamed(name) ? `[${label}](/docs/guides/${name}${anchor})` : label
}
