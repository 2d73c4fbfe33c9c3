import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { changePass, listPasses, readPass } from '@/modules/passes/passes/actions'
import { shownCode } from '@/modules/passes/passes/id'
import { claimPass, releasePass, rotatePass } from '@/modules/passes/passes/lifecycle/actions'
import { choice, line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { MET, settingsPath, stagePath } from './addresses'
import { askedOf, deedForm, done, fold } from './parts'

const PATH = settingsPath('passes')

type Pass = {
  id: string
  type: string
  label: string | null
  action: string | null
  autoFollow: number
  isActive: number
  connectionCount: number
  url: string
}

export async function showPasses(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const asked = askedOf(visit)
  const { passes, totalConnections } = await invoke(visit, listPasses, () => ({}))
  const detailed = await Promise.all(passes.map(({ id }) => invoke(visit, readPass, () => ({ id }))))
  const isQr = ({ type }: Pass) => type === 'qrcode'
  const about = (name: string, id?: string) =>
    sent && asked.get('do') === name && (id === undefined || sent.values.get('id') === id) ? sent : undefined
  return settingsPage(visit, 'passes', {
    body: html`<p class="quiet">${settings.passesText}</p>
${summary(sent)}${done(asked.has('done') && settings.changed)}${done(asked.has('rotated') && settings.rotated)}
${[...detailed.filter(isQr), ...detailed.filter((pass) => !isQr(pass))].map((pass) =>
  card(visit, pass, words, about('change', pass.id)),
)}
<p>${settings.metInAll(totalConnections)} <a href="${MET}">${settings.seeMet}</a></p>
<h2>${settings.claimTag}</h2>
<p class="quiet">${settings.claimTagText}</p>
${deedForm(visit, {
  name: 'claim',
  fields: html`${line(
    {
      name: 'id',
      label: settings.tagCode,
      attributes: html` required maxlength="19" autocapitalize="characters" autocomplete="off" spellcheck="false" placeholder="XXXX-XXXX-XXXX-XXXX"`,
    },
    about('claim'),
  )}`,
  button: settings.claim,
})}`,
  })
}

function card(visit: Visit, pass: Pass, words: Words, sent: Sent | undefined): Html {
  const { settings } = words
  const { id, type, label, isActive, connectionCount, url } = pass
  const isQr = type === 'qrcode'
  const name = label || (isQr ? settings.yourCode : settings.tag)
  const button = (deedName: string, text: string, kind: 'danger' | 'plain', more = {}) =>
    deedForm(visit, { name: deedName, hidden: { id, ...more }, button: text, kind })
  return html`<article class="card" aria-labelledby="p-${id}">
<div class="head"><h2 id="p-${id}" dir="auto">${name}</h2><span class="mark${!isActive && ' alarm'}">${isActive ? settings.passOn : settings.passOff}</span></div>
${
  isQr &&
  html`<div class="code-card"><a href="${stagePath(id)}"><img src="/pass/${id}/qr.svg" alt="${settings.codeOf(name)}" width="256" height="256"></a>
<p class="buttons"><a class="button" href="${stagePath(id)}">${settings.showLarge}</a></p></div>\n`
}<p class="code-card"><span class="shown-code">${shownCode(id)}</span><span class="small quiet">${settings.metBy(connectionCount)}</span></p>
<p class="small quiet">${settings.passAddress}: <a href="${url}">${url}</a></p>
${fold({
  title: settings.passSettings,
  isOpen: sent !== undefined,
  body: deedForm(visit, {
    name: 'change',
    hidden: { id },
    fields: html`
${line({ name: 'label', id: `label-${id}`, label: settings.passLabel, hint: settings.passLabelHint, value: label, attributes: html` maxlength="60" dir="auto"` }, sent)}
${choice({ name: 'action', id: `action-${id}`, label: settings.passAction, value: pass.action, options: optionsOf(settings.passActions) }, sent)}
${choice({ name: 'autoFollow', id: `follow-${id}`, label: settings.autoFollow, value: String(pass.autoFollow), options: optionsOf(settings.autoFollows) }, sent)}
`,
    button: words.frame.save,
  }),
})}
${
  isActive
    ? fold({
        title: settings.switchOff,
        text: settings.switchOffText,
        isAlarm: true,
        body: button('switch', settings.switchOff, 'danger', { isActive: '0' }),
      })
    : html`<div class="fold">${button('switch', settings.switchOn, 'plain', { isActive: '1' })}</div>`
}
${
  isQr
    ? fold({
        title: settings.rotatePass,
        text: html`${settings.rotatePassText} ${settings.undone}`,
        isAlarm: true,
        body: button('rotate', settings.rotatePass, 'danger'),
      })
    : fold({
        title: settings.releaseTag,
        text: html`${settings.releaseTagText} ${settings.undone}`,
        isAlarm: true,
        body: button('release', settings.releaseTag, 'danger'),
      })
}
</article>\n`
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const toDone = () => `${PATH}?done`

export const changePasses = forms({
  change: deed(changePass, {
    fields: ({ settings }) => ({
      id: null,
      label: settings.passLabel,
      action: settings.passAction,
      autoFollow: settings.autoFollow,
    }),
    page: showPasses,
    done: toDone,
  }),
  switch: deed(changePass, { fields: { id: null, isActive: null }, page: showPasses, done: toDone }),
  rotate: deed(rotatePass, { fields: { id: null }, page: showPasses, done: () => `${PATH}?rotated` }),
  release: deed(releasePass, { fields: { id: null }, page: showPasses, done: toDone }),
  claim: deed(claimPass, {
    fields: ({ settings }) => ({ id: settings.tagCode }),
    page: showPasses,
    done: toDone,
  }),
})
