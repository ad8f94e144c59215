import { hash, randomBytes } from 'node:crypto';

/** Prefix of personal tokens. It lets secret scanners find leaked ones. */
export const TOKEN_PREFIX = 'stemma_';
/** Prefix of tokens that are restricted to scopes. */
const SCOPED_PREFIX = `${TOKEN_PREFIX}scoped_`;
/** Prefix of tokens for SCIM. */
const SCIM_PREFIX = `${TOKEN_PREFIX}scim_`;

/** A new token: the prefix and 32 random bytes. */
export const makeToken = ({ isRestricted = false } = {}) =>
  `${isRestricted ? SCOPED_PREFIX : TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;

/**
 * The stored form of a token. Versions that do not know scopes hash restricted tokens in another way, so that these are
 * not valid there without their restriction.
 */
export const hashToken = (token: string) =>
  hash('sha256', token.startsWith(SCOPED_PREFIX) ? `scoped ${token}` : token, 'buffer');

/** A new SCIM token: the prefix and 32 random bytes. */
export const makeScimToken = () => `${SCIM_PREFIX}${randomBytes(32).toString('base64url')}`;

/** The stored form of a SCIM token. It is not the form of other tokens, so that neither is valid as the other. */
export const hashScimToken = (token: string) => hash('sha256', `scim ${token}`, 'buffer');

/** A new value of a session cookie: 32 random bytes. */
export const makeSessionSecret = () => randomBytes(32).toString('base64url');

/**
 * The stored form of the value of a session cookie. It is not the form of a token, so that neither is valid as the
 * other.
 */
export const hashSession = (secret: string) => hash('sha256', `session ${secret}`, 'buffer');
