import type { Protocol } from '@/http/protocol'
import { asked, CLIENT, fields, form, json, moved, page, REFUSALS, text } from './openapi-parts'

/** The description of these endpoints, with the schemas of their RFCs. */

export const AUTHORIZE: Protocol = {
  name: 'authorize',
  summary: 'Ask a person for their consent',
  description:
    "Redirect the person's browser here. Without a session they sign in first. An invalid client or redirect URI shows an error page and never redirects; other errors redirect to the application. Visitors who are not signed in get a page with a link instead, and so do users of a dynamically registered application, unless they granted it access before or it listens on a loopback address.",
  security: [{ session: [] }],
  parameters: [
    asked('response_type', '`code`'),
    asked('client_id', 'The id of the application.'),
    asked('redirect_uri', 'One that is registered, to the letter; on a loopback address the port is free.'),
    asked(
      'scope',
      'Names from `GET /v1/scopes`, separated by spaces; other names are ignored. If it is left out, what the application registered.',
      false,
    ),
    asked('code_challenge', 'Base64url of the SHA-256 of the verifier (RFC 7636).'),
    asked('code_challenge_method', '`S256`'),
    asked('state', 'Comes back as it was sent; at most 2000 characters.', false),
    asked('prompt', '`none`, `consent`, `login` or `select_account`.', false),
    asked('login_hint', 'The email address that is written into the sign-in.', false),
    asked(
      'resource',
      'This server or its `/mcp` (RFC 8707): the tokens are good there and nowhere else.',
      false,
    ),
  ],
  responses: {
    200: page('The question to the person.'),
    302: moved('To the sign-in, or back to the application with `code` or `error`, `state` and `iss`.'),
    400: page(
      'The client or the redirect URI is unknown, or the request is invalid and the visitor is not signed in or does not know the application. No redirect.',
    ),
    401: page('The credential did not hold.'),
    403: page('A bearer token instead of a session.'),
    429: page('Too many in a minute.'),
  },
}

export const DECIDE: Protocol = {
  name: 'decideAuthorization',
  summary: 'Allow or deny an authorization request',
  description: 'The form on the page of `GET /oauth/authorize`.',
  security: [{ session: [] }],
  requestBody: form(
    {
      request: text('The question, as the page holds it.'),
      decision: { enum: ['allow', 'deny'], description: 'What the person decided.' },
      'scope.{name}': text(
        'For each scope that stays ticked, under its name. What is left out is not allowed.',
      ),
    },
    'request',
    'decision',
  ),
  responses: {
    303: moved('Back to the application with `code` or `error`, `state` and `iss`.'),
    400: page(
      'The question is too old, was put to another session, the application is gone, or nothing was ticked.',
    ),
    401: page('The session has ended.'),
    403: page('Asked for by another site.'),
    429: page('Too many in a minute.'),
  },
}

export const TOKEN: Protocol = {
  name: 'token',
  summary: 'Get tokens for a code or a refresh token',
  description:
    'RFC 6749 with RFC 7636. A code works once, within a minute. A refresh token is rotated at each use. The previous one may be repeated for ten seconds and returns the same successor; reuse of an older one revokes the whole family. Authenticate by Basic, with `client_secret`, or with `client_id` alone as a public client.',
  requestBody: form(
    {
      grant_type: { enum: ['authorization_code', 'refresh_token'] },
      code: text('The code that came back from `/oauth/authorize`.'),
      redirect_uri: text('As it was in the request for the code.'),
      code_verifier: text('43 to 128 characters.'),
      refresh_token: text(),
      scope: text('With a refresh token: less than was granted, for this once.'),
      resource: text('This server or its `/mcp`.'),
      ...CLIENT,
    },
    'grant_type',
  ),
  responses: {
    200: json(
      'The tokens. `scope` says what was given.',
      fields(
        {
          access_token: text('`fm_at_…`, for an hour.'),
          token_type: { const: 'Bearer' },
          expires_in: { type: 'integer', description: 'In seconds.' },
          refresh_token: text('`fm_rt_…`, for 60 days from its last use.'),
          scope: text(),
        },
        'access_token',
        'token_type',
        'expires_in',
        'refresh_token',
        'scope',
      ),
    ),
    ...REFUSALS,
  },
}

export const REVOKE: Protocol = {
  name: 'revoke',
  summary: 'Revoke a token',
  description:
    'RFC 7009. Revoking a refresh token revokes its whole family. Unknown tokens get the same response.',
  requestBody: form(
    { token: text('An access token or a refresh token.'), token_type_hint: text('Not needed.'), ...CLIENT },
    'token',
  ),
  responses: { 200: json('It is dead now. The body says nothing.', fields({})), ...REFUSALS },
}

export const INTROSPECT: Protocol = {
  name: 'introspect',
  summary: 'Introspect a token',
  description: "RFC 7662, for the client's own tokens.",
  requestBody: form(
    { token: text('An access token or a refresh token.'), token_type_hint: text('Not needed.'), ...CLIENT },
    'token',
  ),
  responses: {
    200: json(
      '`active` alone for a token that is dead or of another client.',
      fields(
        {
          active: { type: 'boolean' },
          scope: text(),
          client_id: text(),
          username: text('The username of the person.'),
          token_type: text(),
          exp: { type: 'integer' },
          iat: { type: 'integer' },
          sub: text('The id of the person.'),
          aud: {
            description: 'The audience: one resource, or all of them if none was requested.',
            oneOf: [text(), { type: 'array', items: text() }],
          },
          iss: text(),
        },
        'active',
      ),
    ),
    ...REFUSALS,
  },
}
