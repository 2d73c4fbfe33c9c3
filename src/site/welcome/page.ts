import { config } from '@/config/config'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { formTargets } from '@/modules/access/sign-in/form-targets'
import { NEWCOMER } from '@/modules/access/sign-in/people/register'
import { readProfile } from '@/modules/account/me/actions'
import { queryIn } from '@/web/ask'
import { line, radio, summary } from '@/web/fields'
import type { Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import { type Page, policy } from '@/web/layout'
import { welcomePath } from '@/web/login'
import { type Params, signedIn } from '@/web/page'
import { ownPath } from '@/web/redirect'

export const returnToOf = (visit: Visit): string => ownPath(queryIn(visit).get('returnTo'))

/** Asks for a name, a picture and their visibility; can be skipped. */
export async function showWelcome(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const { welcome, settings } = wordsFor(visit)
  const caller = signedIn(visit)
  const me = await invoke(visit, readProfile, () => ({}))
  const returnTo = returnToOf(visit)
  const title = welcome.title(config.siteName)
  return {
    title,
    // The next page may redirect to an application behind the consent page.
    headers: { 'content-security-policy': policy(formTargets(returnTo)) },
    body: html`<div class="card">
<h1>${title}</h1>
<p class="quiet">${welcome.text}</p>
${summary(sent)}
<form method="post" action="${welcomePath(returnTo)}" enctype="multipart/form-data">
${formToken(caller)}
${line(
  {
    name: 'name',
    label: welcome.name,
    hint: welcome.nameHint,
    value: me.name === NEWCOMER ? '' : me.name,
    attributes: html` required maxlength="100" dir="auto" autocomplete="name"`,
  },
  sent,
)}
${radio(
  {
    name: 'profileVisibility',
    label: welcome.visibility,
    value: me.profileVisibility,
    options: [
      { value: 'public', label: settings.visible, hint: settings.visibleHint },
      { value: 'private', label: settings.private, hint: settings.privateHint },
    ],
  },
  sent,
)}
<label for="file">${welcome.picture}</label>
<p class="hint small quiet" id="file-hint">${settings.pictureHint}</p>
<input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp,image/gif" aria-describedby="file-hint">
<button class="button wide">${welcome.button}</button>
</form>
<p class="after small"><a href="${returnTo}">${welcome.skip}</a></p>
</div>`,
  }
}
