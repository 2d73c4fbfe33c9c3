import { describe, expect, test } from 'bun:test'
import { type Letter, readLetter, reply, startMailServer } from '../../../support/mail-server'
import { ownDatabase, startServer, startWorker, until } from '../../../support/processes'
import { newAddress } from './fixtures'

const send = (base: string, path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const ask = (base: string, email: string) =>
  send(base, '/auth/email', new URLSearchParams({ email }).toString())

describe('in production', () => {
  test('without a mail server mail is not offered, and the mailbox does not exist', async () => {
    const server = await startServer({
      DATABASE_URL: await ownDatabase(),
      // In clear over the network: anybody on the way could say who somebody is.
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
    })
    const page = await (await fetch(`${server.url}/login`)).text()
    expect(page).toContain('No way to sign in has been set up')
    expect(page).not.toContain('action="/auth/email"')
    expect(page).not.toContain('/dev/mailbox')
    expect((await ask(server.url, newAddress())).status).toBe(404)
    // Links of the operator's work here, so a dead one says what it is.
    expect((await send(server.url, '/auth/email/verify', `token=${'a'.repeat(64)}`)).status).toBe(410)
    const dead = await fetch(`${server.url}/auth/email/verify?token=a`)
    expect([dead.status, await dead.text()]).toEqual([
      410,
      expect.stringContaining('the host can create a new one'),
    ])
    for (const path of ['/dev/mailbox', '/dev/mailbox.json', '/auth/oidc'])
      expect([path, (await fetch(server.url + path, { redirect: 'manual' })).status]).toEqual([path, 404])
    await server.stop('SIGKILL')
    expect(server.output()).toContain('a provider is not offered')
  })

  test('mail goes through the server, cookies are for https, and no secret or address reaches the log', async () => {
    const smtp = await startMailServer()
    const environment = {
      DATABASE_URL: await ownDatabase(),
      BASE_URL: 'https://folk.example',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Folk <hello@folk.example>',
      SITE_NAME: 'Mill <Lane>',
      LOG_LEVEL: 'debug',
      GITHUB_CLIENT_ID: 'hub',
      GITHUB_CLIENT_SECRET: 'hub-secret-value',
    }
    const server = await startServer(environment)
    const worker = startWorker(environment)
    const base = server.url
    const host = { host: 'folk.example' }
    const email = newAddress()
    const asked = await send(base, '/auth/email', new URLSearchParams({ email }).toString(), host)
    expect(asked.status).toBe(200)
    expect(await asked.text()).not.toContain('mailbox')
    await until('the mail is there', () => smtp.letters.length === 1)
    const letter = smtp.letters[0] as Letter
    expect(letter.to).toEqual([email])
    const text = readLetter(letter)
    expect(text).toContain('From: Folk <hello@folk.example>')
    expect(text).toContain('Subject: Sign in to Mill <Lane>')
    expect(text).toContain('Sent by Mill <Lane>: https://folk.example')
    expect(text).toContain('>Sign in to Mill &lt;Lane&gt;</h1>')
    expect(text).not.toContain('Folkmoot')
    expect(text).toContain('Auto-Submitted: auto-generated')
    const token = /https:\/\/folk\.example\/auth\/email\/verify\?token=([0-9a-f]{64})/.exec(
      text,
    )?.[1] as string
    const code = /^(\d{6})$/m.exec(text)?.[1] as string

    expect((await fetch(`${base}/auth/email/verify?token=${token}`, { headers: host })).status).toBe(200)
    await send(
      base,
      '/auth/email/verify',
      `email=${encodeURIComponent(email)}&code=${code === '1' ? 2 : 1}`,
      host,
    )
    const entered = await send(base, '/auth/email/verify', `token=${token}`, host)
    expect(entered.status).toBe(303)
    const cookie = entered.headers.get('set-cookie') as string
    expect(cookie).toMatch(
      /^session=[0-9a-f]{64}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    )
    const session = cookie.slice('session='.length, 'session='.length + 64)
    const start = await fetch(`${base}/auth/github`, { redirect: 'manual', headers: host })
    expect(start.headers.get('location')).toStartWith('https://github.com/login/oauth/authorize?')
    expect(start.headers.get('location')).toContain(
      encodeURIComponent('https://folk.example/auth/github/callback'),
    )
    expect(start.headers.get('set-cookie')).toEndWith('; HttpOnly; SameSite=Lax; Secure')
    const loginState = /sign_in=([^;]+)/.exec(start.headers.get('set-cookie') ?? '')?.[1] as string
    const returned = await fetch(`${base}/auth/github/callback?code=given-code&state=given-state`, {
      headers: { ...host, cookie: `sign_in=${loginState}; session=${session}` },
    })
    expect(returned.status).toBe(400)
    await send(base, '/auth/logout', '', {
      ...host,
      cookie: `session=${session}`,
      'sec-fetch-site': 'same-origin',
    })

    await smtp.stop()
    const again = newAddress()
    expect(
      (await send(base, '/auth/email', new URLSearchParams({ email: again }).toString(), host)).status,
    ).toBe(200)
    await until('the failure is known', () => worker.output().includes('mail: will be tried again'))
    await Promise.all([server.stop(), worker.stop()])
    const log = server.output() + worker.output()
    expect(log).toContain('"route":"/auth/email/verify"')
    for (const secret of [
      token,
      code,
      session,
      loginState,
      email,
      again,
      'hub-secret-value',
      'given-code',
      'given-state',
    ])
      expect([secret, log.includes(secret)]).toEqual([secret, false])
  })

  test('a refusing mail server breaks nothing and reveals nothing', async () => {
    const smtp = await startMailServer()
    smtp.rules.recipient = () => {
      throw reply(550, 'no such mailbox')
    }
    const environment = { DATABASE_URL: await ownDatabase(), SMTP_URL: smtp.url }
    const server = await startServer(environment)
    const worker = startWorker(environment)
    const email = newAddress()
    expect((await ask(server.url, email)).status).toBe(200)
    await until('the failure is known', () => worker.output().includes('mail: refused for good'))
    expect(server.output() + worker.output()).not.toContain(email)
    await Promise.all([server.stop('SIGKILL'), worker.stop('SIGKILL')])
    await smtp.stop()
  })
})
