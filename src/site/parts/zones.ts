import { html } from '@/web/html'

/** Time zones for a field with `list="zones"`. */
export const ZONES = html`<datalist id="zones">${Intl.supportedValuesOf('timeZone').map(
  (zone) => html`<option value="${zone}"></option>`,
)}</datalist>`
