import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readMe } from '@/modules/account/me/actions'
import { readPass } from '@/modules/passes/passes/actions'
import { shownCode } from '@/modules/passes/passes/id'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPath } from './addresses'

/** A pass as large as the screen, dark on light by day and by night, to be held up or printed. */
export async function showStage(visit: Visit, { id = '' }: Params): Promise<Page> {
  const { settings } = wordsFor(visit)
  const pass = await invoke(visit, readPass, () => ({ id }))
  const { name } = await invoke(visit, readMe, () => ({}))
  return {
    title: settings.yourCode,
    islands: ['stage'],
    body: html`<div class="stage">
<h1 dir="auto">${name}</h1>
<img src="/pass/${pass.id}/qr.svg" alt="${settings.codeOf(name)}" width="1000" height="1000">
<p><span class="shown-code">${shownCode(pass.id)}</span><br><span class="small">${settings.holdUp}</span></p>
<p class="buttons"><a class="button plain" href="${settingsPath('passes')}">${settings.close}</a><button class="button plain" type="button" data-print hidden>${settings.print}</button></p>
</div>`,
  }
}
