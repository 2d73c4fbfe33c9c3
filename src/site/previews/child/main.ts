import sharp from 'sharp'
import { yieldToOthers } from '@/lifecycle/yield-to-others'
import type { PreviewAnswer, PreviewOrder } from '../order'
import { previewSvg } from './picture'

// A separate process: fonts and encoding would block requests and take memory.

sharp.cache(false)
sharp.concurrency(1)
process.on('disconnect', () => process.exit())
yieldToOthers()
process.on('message', async (order: PreviewOrder) => {
  process.send?.(await answer(order))
})

async function answer(order: PreviewOrder): Promise<PreviewAnswer> {
  try {
    const png = await sharp(Buffer.from(await previewSvg(order)))
      .png({ palette: true, colours: 128, effort: 4 })
      .toBuffer()
    return { png: png.toString('base64') }
  } catch (error) {
    const { name, message } = error as Error
    return { failed: `${name}: ${message}` }
  }
}
