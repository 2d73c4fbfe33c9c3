import { config } from '@/config/config'
import type { Mail } from '@/outbound/mail/mail'
import { html } from '@/web/html'

const ONCE = 'The link and the code work once, for 15 minutes.'
const IGNORE =
  'If you did not ask for this email, somebody may have mistyped their address: nothing happens unless you open the link or give the code away.'

export function signInMessage(to: string, token: string, code: string): Mail {
  const link = `${config.authUrl}/auth/email/verify?token=${token}`
  return {
    to,
    subject: `Sign in to ${config.siteName}`,
    text: `Open this link to sign in to ${config.siteName}:

${link}

or type this code where you asked for it:

${code}

${ONCE}

${IGNORE}
`,
    html: html`<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1d2127;background:#f6f5f2">
<div style="max-width:28rem;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dcdad4;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px">Sign in to ${config.siteName}</h1>
<p style="margin:0 0 20px"><a href="${link}" style="display:inline-block;padding:12px 20px;background:#1f6f54;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none">Sign in</a></p>
<p style="margin:0 0 4px">or type this code where you asked for it:</p>
<p style="margin:0 0 20px;font-size:28px;font-weight:700;letter-spacing:4px">${code}</p>
<p style="margin:0 0 12px;font-size:14px;color:#5b6470">${ONCE}</p>
<p style="margin:0;font-size:14px;color:#5b6470">${IGNORE}</p>
</div>
</body>
</html>
`.text,
  }
}
