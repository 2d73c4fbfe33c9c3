import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { conflict, forbidden, gone, invalidField, notFound, rateLimited } from '@/core/errors'
import { line, nullable, oneOf, optional, text, time, whole } from '@/core/fields'
import { Success } from '@/core/page'
import { area, choice, line as input, radio, summary, tick } from '@/web/fields'
import { form, type Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { html } from '@/web/html'
import { page, signedIn } from '@/web/page'
import { mount } from './mount'

/** What reached the action, in the order in which it came. */
export const made: Record<string, unknown>[] = []

const REFUSALS: Record<string, () => Error> = {
  taken: () => conflict('Somebody has that name already'),
  odd: () => invalidField('name', 'must not be odd'),
  never: () => forbidden('You may not make this'),
  gone: () => gone('It is too late to make this'),
  so: () => notFound('Event'),
  often: () => rateLimited(30),
  broken: () => new Error('a secret of the house'),
}

/** Has a field of every kind that a form can have. */
const makeThing = action({
  name: 'makeThing',
  access: 'user',
  summary: 'Make a thing',
  input: Type.Object({
    slug: line(1, 20),
    name: line(1, 20),
    seats: optional(nullable(whole(1, 100))),
    price: optional(Type.Number({ minimum: 0, maximum: 10 })),
    isOpen: Type.Boolean(),
    isLoud: optional(nullable(Type.Boolean())),
    tags: optional(Type.Array(line(1, 5), { maxItems: 2 })),
    startsAt: optional(nullable(time())),
    again: optional(Type.Array(time())),
    timezone: optional(line(1, 64)),
    place: optional(nullable(Type.Object({ town: line(1, 20), floor: optional(nullable(whole(0, 9))) }))),
    links: optional(Type.Array(line(1, 100, { format: 'uri' }))),
    note: optional(text(0, 50)),
    about: optional(nullable(text(0, 50))),
    kind: optional(oneOf(['tall', 'small'])),
    secret: optional(line(1, 20)),
  }),
  output: Success,
  errors: ['conflict', 'gone', 'not_found'],
  run: (_, given) => {
    const refusal = REFUSALS[given.name]
    if (refusal) throw refusal()
    made.push(given)
    return { success: true as const }
  },
})

const show = (visit: Parameters<typeof signedIn>[0], { slug = '' }, sent?: Sent) => ({
  title: 'Make a thing',
  body: html`<h1>Make a thing</h1>
${summary(sent)}<form method="post" action="/things/${slug}">
${formToken(signedIn(visit))}
${input({ name: 'name', label: 'Name', attributes: html` maxlength="20"` }, sent)}
${input({ name: 'seats', label: 'Seats', type: 'number', value: 12 }, sent)}
${input({ name: 'startsAt', label: 'Begins at (UTC)', type: 'datetime-local' }, sent)}
${tick({ name: 'isOpen', label: 'Open to everyone', checked: true }, sent)}
${tick({ name: 'tags', label: 'Red', value: 'red' }, sent)}
${tick({ name: 'tags', label: 'Blue', value: 'blue' }, sent)}
${area({ name: 'note', label: 'Note', hint: 'A few words' }, sent)}
${choice(
  {
    name: 'kind',
    label: 'Kind',
    options: [
      { value: '', label: 'Any' },
      { value: 'tall', label: 'Tall' },
    ],
    value: 'tall',
  },
  sent,
)}
${radio(
  {
    name: 'isLoud',
    label: 'Loud',
    options: [
      { value: 'true', label: 'Loud' },
      { value: 'false', label: 'Quiet', hint: 'As a mouse' },
    ],
    value: 'false',
  },
  sent,
)}
<button class="button wide">Make it</button>
</form>`,
})

const { secret, slug, place, ...read } = Object.fromEntries(
  Object.keys(makeThing.input.properties).map((name) => [name, name]),
)

/** A server with one form. */
export const serveThings = () =>
  mount((app) =>
    app.get('/things/:slug', ...page(show)).post(
      '/things/:slug',
      ...form(makeThing, {
        fields: {
          ...read,
          'place.town': 'The town',
          'place.floor': 'The floor',
          name: 'The name',
          seats: 'The number of seats',
          kind: null,
          secret: 'The secret',
        },
        secrets: ['secret'],
        page: show,
        done: ({ slug }, result) =>
          slug === 'away' ? '//evil.example' : `/things/${slug}?made=${result !== undefined}`,
        ignoredErrors: ['not_found'],
        back: { href: '/things', label: 'Back to the things' },
      }),
    ),
  )
