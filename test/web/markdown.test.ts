import { expect, test } from 'bun:test'
import { html } from '@/web/html'
import { markdown, titled } from '@/web/markdown'

const shown = (text: string) => html`${markdown(text)}`.text

test('Markdown becomes headings, paragraphs, lists, quotes, links and emphasis', () => {
  expect(shown('## Who\nWe are *few*,\nand **glad**.\n\n### More\n')).toBe(
    '<h2>Who</h2><p>We are <em>few</em>,\nand <strong>glad</strong>.</p><h3>More</h3>',
  )
  expect(shown('- one\n- two,\n  longer\n\n1. a\n2) b')).toBe(
    '<ul><li>one</li><li>two,\nlonger</li></ul><ol><li>a</li><li>b</li></ol>',
  )
  expect(shown('> said\n> so\n\n---\n`a < b`')).toBe(
    '<blockquote><p>said\nso</p></blockquote><hr><p><code>a &lt; b</code></p>',
  )
  expect(shown('[us](/about), [mail](mailto:a@b.example), https://c.example/d.')).toBe(
    '<p><a href="/about">us</a>, <a href="mailto:a@b.example">mail</a>, <a href="https://c.example/d">https://c.example/d</a>.</p>',
  )
  expect(shown('snake_case_name and 2 * 3 * 4')).toBe('<p>snake_case_name and 2 * 3 * 4</p>')
})

test('nothing of a text becomes markup that is not ours', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '# <img src=x onerror=alert(1)>',
    '- <iframe src="//evil.example">',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert)',
    '[x](data:text/html,x)',
    '[x](//evil.example)',
    '[x](/\\evil.example)',
    '[x](https://a.example/"onmouseover="alert)',
    '**<b onclick=alert(1)>**',
    '`</code><script>`',
    '![x](https://evil.example/pixel.png)',
  ]
  for (const text of hostile) {
    const made = shown(text)
    expect(made).not.toMatch(/<(script|img|iframe|b )/i)
    expect(made).not.toMatch(/href="(?!https:|mailto:|\/(?![/\\])|#)/i)
    expect(made).not.toMatch(/<[^>]*\son\w+=/i)
  }
})

test('a long text takes a time that grows with its length alone', () => {
  for (const text of ['[', '*', '_', '`', '[a](', '**a ', '> ', '- '].map((sign) => sign.repeat(20_000))) {
    expect(shown(text).length).toBeGreaterThan(0)
  }
})

test('the heading with which a text begins is its title', () => {
  expect(titled('# Our *house*\n\nText')).toEqual({ title: 'Our house', rest: '\nText' })
  expect(titled('Text\n# Later')).toEqual({ title: null, rest: 'Text\n# Later' })
})
