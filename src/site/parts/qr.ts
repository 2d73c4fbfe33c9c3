import { QUIET_ZONE, symbolOf } from '@/modules/passes/symbols/qr'
import { svgOf } from '@/modules/passes/symbols/svg'
import { Html } from '@/web/html'

/** A QR code that fills its container. */
export const qr = (address: string, title: string): Html =>
  new Html(`<div class="symbol">${svgOf(symbolOf(address, 'M'), QUIET_ZONE, title)}</div>`)
