import type { Visit } from '@/http/visit'
import {
  changeApp,
  createApp,
  getApp,
  listApps,
  regenerateAppSecret,
  removeApp,
} from '@/modules/access/developer-apps/actions'
import type { OAuthApp } from '@/modules/access/developer-apps/schema'
import { secretPage } from '@/site/parts/codes'
import { done, emptyState, list } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { ask, queryIn } from '@/web/ask'
import { area, line, summary, tick } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import type { Words } from '@/words/words'
import { APPS, appPath, developerPage } from './developer-page'

export async function showApps(visit: Visit): Promise<Page> {
  signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { developer } = words
  const { apps } = await ask(visit, listApps)
  const create = { href: `${APPS}/new`, label: developer.newApp }
  return developerPage(
    words,
    APPS,
    developer.apps,
    html`${done(query, developer.done)}${list({
      page: { data: apps },
      query,
      words,
      row: (app) => appRow(app, words),
      empty: emptyState({ title: developer.noApps, text: developer.noAppsText, to: create }),
    })}
${apps.length > 0 && html`<a class="button" href="${create.href}">${create.label}</a>`}`,
  )
}

const appRow = ({ clientId, name, activeUsers, isPublicClient }: OAuthApp, { developer }: Words): Html =>
  html`<li><div class="what"><h2 dir="auto"><a href="${appPath(clientId)}">${name}</a></h2>
<p class="quiet small"><code>${clientId}</code></p></div>
<div class="end quiet small">${developer.users(activeUsers ?? 0)}${isPublicClient && html`<br>${developer.publicClient}`}</div></li>
`

const appLabels = ({ developer: { fields } }: Words) => ({
  name: fields.name,
  redirectUris: fields.redirectUris,
  description: fields.description,
  website: fields.website,
  logoUri: fields.logoUri,
  policyUri: fields.policyUri,
  tosUri: fields.tosUri,
})

const ADDRESSES = ['website', 'logoUri', 'policyUri', 'tosUri'] as const

const appFields = ({ developer: { fields, hints } }: Words, app?: OAuthApp, sent?: Sent): Html =>
  html`${line({ name: 'name', label: fields.name, value: app?.name, attributes: html` required maxlength="100" dir="auto"` }, sent)}
${area({ name: 'redirectUris', label: fields.redirectUris, hint: hints.redirectUris, value: app?.redirectUris.join('\n'), rows: 3, attributes: html` required spellcheck="false"` }, sent)}
${area({ name: 'description', label: fields.description, hint: hints.description, value: app?.description, rows: 3, attributes: html` maxlength="500"` }, sent)}
${ADDRESSES.map((name) => line({ name, label: fields[name], type: 'url', value: app?.[name], attributes: html` maxlength="2048"` }, sent))}`

export function showNewApp(visit: Visit, _: Params, sent?: Sent): Page {
  const caller = signedIn(visit)
  const words = wordsFor(visit)
  const { developer } = words
  return developerPage(
    words,
    APPS,
    developer.newApp,
    html`<div class="text">${summary(sent)}${deedForm(caller, {
      deed: 'create',
      body: html`${appFields(words, undefined, sent)}
${tick({ name: 'isPublicClient', label: developer.fields.isPublicClient, hint: developer.hints.isPublicClient }, sent)}
<button class="button wide">${developer.newApp}</button>`,
    })}</div>`,
  )
}

export async function showApp(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const caller = signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { developer, frame } = words
  const app = await ask(visit, getApp, params)
  return developerPage(
    words,
    APPS,
    app.name,
    html`<div class="columns"><div>${done(query, developer.done)}${summary(sent)}
<dl><dt>${developer.clientId}</dt><dd><code>${app.clientId}</code></dd><dt>${developer.kind}</dt><dd>${app.isPublicClient ? developer.publicClient : developer.confidential}</dd><dt>${developer.inUse}</dt><dd>${developer.users(app.activeUsers ?? 0)}</dd></dl>
${deedForm(caller, {
  deed: 'save',
  body: html`${appFields(words, app, sent)}
<button class="button wide">${frame.save}</button>`,
})}</div>
<aside><section class="card">${
      !app.isPublicClient &&
      danger(caller, {
        deed: 'secret',
        title: developer.newSecret,
        text: developer.newSecretText,
        label: developer.newSecret,
      })
    }
${danger(caller, { deed: 'delete', title: developer.deleteApp, text: developer.deleteAppText(app.activeUsers ?? 0), label: developer.deleteApp })}</section></aside></div>`,
  )
}

const secretOf = (visit: Visit, clientId: string, clientSecret: string): Page => {
  const words = wordsFor(visit)
  const { developer } = words
  return secretPage(
    {
      title: developer.keepSecret,
      text: clientSecret === '' ? developer.noSecretText : developer.keepSecretText,
      secrets: [
        { label: developer.clientId, value: clientId },
        ...(clientSecret === '' ? [] : [{ label: developer.clientSecret, value: clientSecret }]),
      ],
      to: { href: appPath(clientId), label: developer.kept },
    },
    words,
  )
}

export const newAppForms = forms({
  create: deed(createApp, {
    fields: (words) => ({ ...appLabels(words), isPublicClient: words.developer.fields.isPublicClient }),
    page: showNewApp,
    done: (_, app, visit) => secretOf(visit, app?.clientId ?? '', app?.clientSecret ?? ''),
  }),
})

export const appForms = forms({
  save: deed(changeApp, {
    fields: appLabels,
    page: showApp,
    done: ({ clientId }) => `${appPath(String(clientId))}?done=saved`,
  }),
  secret: deed(regenerateAppSecret, {
    fields: {},
    page: showApp,
    done: (_, made, visit) => secretOf(visit, made?.clientId ?? '', made?.clientSecret ?? ''),
  }),
  delete: deed(removeApp, { fields: {}, page: showApp, done: () => `${APPS}?done=deleted` }),
})
