import { makeSession, makeUser } from '../support/make'
import { type ServerProcess, startServer } from '../support/processes'
import { freePort } from '../support/redis'

/** A server as clients meet it: its own address in everything that it writes, and the people of this run. */
export async function startOwnServer(): Promise<ServerProcess> {
  const port = String(await freePort())
  return startServer({
    DATABASE_URL: process.env.DATABASE_URL as string,
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'silent',
    // Every client of this run comes from one address.
    RATE_LIMIT_REGISTER_PER_HOUR: '1000',
    RATE_LIMIT_ANONYMOUS_PER_HOUR: '100000',
  })
}

/** Somebody who is signed in and reads what a page asks before they press a button. */
export async function makeReader() {
  const user = await makeUser()
  const cookie = `session=${await makeSession(user.id)}`

  /** Opens an address that a client sent them to. */
  const open = (address: URL | string) => fetch(address, { headers: { cookie }, redirect: 'manual' })

  return {
    user,
    open,

    /** Ends all that applications hold for them. */
    async disconnect(server: string) {
      const listed = await fetch(`${server}/v1/profile/grants`, { headers: { cookie } })
      for (const { grantId } of ((await listed.json()) as { data: { grantId: string }[] }).data)
        await fetch(`${server}/v1/profile/grants/${grantId}`, {
          method: 'DELETE',
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
        })
    },

    /** Reads the question, ticks some boxes more and answers it; gives back where the browser is sent. */
    async answer(address: URL | string, decision: 'allow' | 'deny', more: string[] = []): Promise<URL> {
      const page = await open(address)
      if (page.status !== 200) throw new Error(`${page.status} ${await page.text()}`)
      const text = await page.text()
      const { action, fields } = formOf(text)
      for (const scope of more) {
        if (!text.includes(`name="scope.${scope}"`)) throw new Error(`no box for ${scope}:\n${text}`)
        fields[`scope.${scope}`] = 'on'
      }
      const answered = await fetch(new URL(action, address), {
        method: 'POST',
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': FORM },
        body: new URLSearchParams({ ...fields, decision }).toString(),
        redirect: 'manual',
      })
      const location = answered.headers.get('location')
      if (answered.status !== 303 || !location) throw new Error(`${answered.status} ${await answered.text()}`)
      return new URL(location)
    },
  }
}

const FORM = 'application/x-www-form-urlencoded'

/** What a browser would send of the form on a page: where to, its hidden fields and its ticked boxes. */
function formOf(document: string): { action: string; fields: Record<string, string> } {
  // What stands around a page has forms of its own.
  const page = /<main[\s\S]*<\/main>/.exec(document)?.[0] ?? ''
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
  if (!action) throw new Error(`no form on this page:\n${document}`)
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const ticked = [...page.matchAll(/<input type="checkbox" name="([^"]+)" checked>/g)]
  const fields = [...hidden, ...ticked].map(([, name, value = 'on']) => [name, value])
  return { action, fields: Object.fromEntries(fields) }
}
