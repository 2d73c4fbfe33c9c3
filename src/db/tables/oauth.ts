import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { at, bytes, pictureAddress, uploadIndex } from './columns'
import { users } from './users'

/** Applications, created by developers here or by dynamic registration. Secrets are hashed. */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    clientId: text('client_id').primaryKey(),
    /** Null for a dynamically registered application. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The grant of the application that registered this one in its owner's name: both end together. */
    madeByGrant: uuid('made_by_grant').references((): AnyPgColumn => oauthGrants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    redirectUris: text('redirect_uris').array().notNull(),
    website: text('website'),
    logoUri: pictureAddress('logo_uri'),
    policyUri: text('policy_uri'),
    tosUri: text('tos_uri'),
    /** A public client cannot keep a secret and has none. */
    authMethod: text('auth_method', {
      enum: ['client_secret_basic', 'client_secret_post', 'none'],
    }).notNull(),
    secretHash: bytes('secret_hash'),
    /** The most it may request; null means any scope. */
    scopes: text('scopes').array(),
    /** The hash of dynamically registered metadata: a public client that registers again gets the same row. */
    registrationHash: bytes('registration_hash'),
    createdAt: at('created_at').notNull().defaultNow(),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [
    index('oauth_clients_owner').on(table.ownerId, table.createdAt),
    index('oauth_clients_of_grant').on(table.madeByGrant).where(sql`made_by_grant is not null`),
    uniqueIndex('oauth_clients_public_registration')
      .on(table.registrationHash)
      .where(sql`auth_method = 'none'`),
    index('oauth_clients_secret_registration')
      .on(table.registrationHash)
      .where(sql`auth_method <> 'none' and registration_hash is not null`),
    index('oauth_clients_unowned').on(table.createdAt).where(sql`owner_id is null`),
    uploadIndex('oauth_clients_logo_upload', table.logoUri),
    check('oauth_clients_secret', sql`(${table.authMethod} = 'none') = (${table.secretHash} is null)`),
    check('oauth_clients_redirects', sql`cardinality(${table.redirectUris}) between 1 and 10`),
  ],
)

/** The scopes that a person allowed an application: one row per pair. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthClients.clientId, { onDelete: 'cascade' }),
    scopes: text('scopes').array().notNull(),
    /** Scopes that the person unticked: they stay unticked the next time. */
    declined: text('declined').array().notNull().default(sql`'{}'`),
    grantedAt: at('granted_at').notNull().defaultNow(),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [
    unique('oauth_grants_pair').on(table.userId, table.clientId),
    index('oauth_grants_of_user').on(table.userId, table.grantedAt, table.id),
    index('oauth_grants_client').on(table.clientId),
  ],
)

/** A token family: an authorization code and all tokens from it. It is revoked as a whole. */
export const oauthFamilies = pgTable(
  'oauth_families',
  {
    id: uuid('id').primaryKey(),
    grantId: uuid('grant_id')
      .notNull()
      .references(() => oauthGrants.id, { onDelete: 'cascade' }),
    scopes: text('scopes').array().notNull(),
    /** The generation of the current refresh token. */
    generation: integer('generation').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('oauth_families_grant').on(table.grantId)],
)

/** Codes live for a minute and work once; a used one stays a while, to detect a second use. */
export const oauthCodes = pgTable(
  'oauth_codes',
  {
    hash: bytes('hash').primaryKey(),
    familyId: uuid('family_id')
      .notNull()
      .references(() => oauthFamilies.id, { onDelete: 'cascade' }),
    redirectUri: text('redirect_uri').notNull(),
    /** S256 of the client's verifier. */
    challenge: text('challenge').notNull(),
    resource: text('resource'),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [
    index('oauth_codes_family').on(table.familyId),
    index('oauth_codes_expiry').on(table.expiresAt),
  ],
)

export const oauthRefreshTokens = pgTable(
  'oauth_refresh_tokens',
  {
    familyId: uuid('family_id')
      .notNull()
      .references(() => oauthFamilies.id, { onDelete: 'cascade' }),
    generation: integer('generation').notNull(),
    hash: bytes('hash').notNull().unique(),
    usedAt: at('used_at'),
    /** The resource of the consent (RFC 8707); null if none was named. */
    resource: text('resource'),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.familyId, table.generation] }),
    index('oauth_refresh_tokens_expiry').on(table.expiresAt),
  ],
)

export const oauthAccessTokens = pgTable(
  'oauth_access_tokens',
  {
    id: uuid('id').primaryKey(),
    familyId: uuid('family_id')
      .notNull()
      .references(() => oauthFamilies.id, { onDelete: 'cascade' }),
    hash: bytes('hash').notNull().unique(),
    scopes: text('scopes').array().notNull(),
    /** Its resource (RFC 8707); null means all of ours. */
    resource: text('resource'),
    expiresAt: at('expires_at').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('oauth_access_tokens_family').on(table.familyId),
    index('oauth_access_tokens_expiry').on(table.expiresAt),
  ],
)
