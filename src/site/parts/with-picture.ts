import type { Caller } from '@/core/caller'
import { AppError, badRequest, isAppError } from '@/core/errors'
import { isForm, readFormPairs } from '@/http/form-body'
import type { Visit } from '@/http/visit'
import { ownPicture } from '@/modules/passes/card/face'
import type { Category } from '@/modules/people/uploads/categories'
import { isCheckedByNow, receiveByForm } from '@/modules/people/uploads/receive/by-form'
import type { Read, Sent } from '@/web/form'
import { isOwnForm } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

/** The re-rendered form has the picture's address, so a retry needs no upload. */
const stillChecked = () =>
  new AppError('unavailable', 'Your picture is still being checked: send the form again in a moment', {
    'retry-after': '5',
  })

/** Reads a form with an optional picture: uploads it and passes its address to the action. */
export const withPicture =
  (category: Category, field: string) =>
  async (visit: Visit, caller: Caller | null): Promise<Read> => {
    let values = new URLSearchParams()
    try {
      let picture: Awaited<ReturnType<typeof receiveByForm>>['picture'] = 'none'
      if (isForm(visit.request)) values = await readFormPairs(visit.request)
      else
        ({ fields: values, picture } = await receiveByForm(visit, category, (before) => {
          values = before
          // Refuses the file if the session has ended; the input is shown again.
          if (caller === null || !isOwnForm(before, caller)) throw badRequest('This form was not sent whole')
        }))
      if (picture !== 'none') values.set(field, picture.publicUrl)
      const isChecked = picture === 'none' ? await isCheckedByNow(values.get(field) ?? '') : picture.isChecked
      if (!isChecked) throw stillChecked()
      return { values }
    } catch (error) {
      if (values.size === 0) throw error
      // Upload errors about declared fields address programs.
      const isFile = isAppError(error) && (error.about !== undefined || error.status === 413)
      return {
        values,
        error: isFile
          ? badRequest('This picture cannot be used: choose a photo or drawing of at most 10 MB')
          : error,
      }
    }
  }

/** A picture on a creation form. Shows one that was uploaded before the form was re-rendered. */
export function pictureField(name: string, label: string, { settings }: Words, sent?: Sent): Html {
  const uploaded = sent?.values.get(name)
  const shown = uploaded && ownPicture(uploaded)
  return html`<label for="${name}-file">${label}</label>
<p class="hint small quiet" id="${name}-hint">${shown ? settings.pictureKept : settings.pictureHint}</p>
${shown && html`<div class="cover banner"><img src="${shown}?w=640" alt="" width="640" height="320"></div><input type="hidden" name="${name}" value="${uploaded}">`}<input id="${name}-file" name="file" type="file" accept="image/png,image/jpeg,image/webp,image/gif" aria-describedby="${name}-hint">`
}
