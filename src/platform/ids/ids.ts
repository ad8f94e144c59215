import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Prefixes of ids and their types in the graph. */
export const PREFIXES = {
  org: 'Organization',
  user: 'User',
  team: 'Team',
  collection: 'Collection',
  space: 'Space',
  page: 'Page',
  file: 'File',
  rev: 'Revision',
  cr: 'ChangeRequest',
  comment: 'Comment',
  reply: 'CommentReply',
  review: 'Review',
  site: 'Site',
  sitespace: 'SiteSpace',
  section: 'SiteSection',
  sectiongroup: 'SiteSectionGroup',
  sharelink: 'ShareLink',
  saml: 'SamlProvider',
  oidc: 'OidcProvider',
  scimtoken: 'ScimToken',
  invite: 'LinkInvite',
  emailinvite: 'EmailInvite',
  translation: 'Translation',
  translationreview: 'TranslationReview',
  cluster: 'IssuesCluster',
  conversation: 'Conversation',
  issue: 'ConversationIssue',
  openapi: 'OpenApiSpec',
  openapiversion: 'OpenApiSpecVersion',
  openapioperation: 'OpenApiOperation',
  openapischema: 'OpenApiSchema',
  doc: 'Document',
  reusable: 'ReusableContent',
  token: 'ApiToken',
  session: 'Session',
  passkey: 'Passkey',
  oauthgrant: 'OAuthGrant',
  event: 'Event',
  redirect: 'SiteRedirect',
  import: 'ImportRun',
  gitrun: 'GitRun',
  gitconnection: 'ConnectedGitBranch',
  upload: 'Upload',
  member: 'Member',
  externallink: 'SiteExternalLink',
  glossary: 'GlossaryEntry',
  integration: 'Integration',
  installation: 'Installation',
  webhook: 'Webhook',
  delivery: 'WebhookDelivery',
} as const;

export type IdPrefix = keyof typeof PREFIXES;

/** Digits of base 32, as Crockford defines them, in lower case. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /^([a-z]+)_([0-9a-hjkmnp-tv-z]{26})$/;

/** Number of random bits of a UUIDv7: 12 after the version, 62 after the variant. */
const RANDOM_BITS = 74n;

/** Maximum distance between ids of the same millisecond. It makes ids hard to guess from each other. */
const MAX_STEP = 2 ** 32;

let latestTime = 0;
let latestRandom = 0n;

/**
 * A new id: `<prefix>_` and a UUIDv7 (RFC 9562, 5.7) in Crockford base32, following the TypeID convention. The ids of
 * one thread are strictly increasing, regardless of prefix and even if the clock is set back (RFC 9562, 6.2, method 2).
 * Those of different threads and processes sort by millisecond.
 */
export function newId(prefix: IdPrefix): string {
  const now = Date.now();
  if (now > latestTime) {
    latestTime = now;
    // The highest bit is zero, so that increments within a millisecond never overflow.
    latestRandom = BigInt.asUintN(Number(RANDOM_BITS) - 1, BigInt(`0x${randomBytes(10).toString('hex')}`));
  } else {
    latestRandom += BigInt(randomInt(MAX_STEP) + 1);
  }
  return `${prefix}_${toBase32(uuidV7(latestTime, latestRandom))}`;
}

function uuidV7(time: number, random: bigint): bigint {
  const version = 0x7n;
  const variant = 0b10n;
  const upper = BigInt.asUintN(12, random >> 62n);
  const lower = BigInt.asUintN(62, random);
  return (BigInt(time) << 80n) | (version << 76n) | (upper << 64n) | (variant << 62n) | lower;
}

/** An id that is always the same for the same name: the first 128 bits of its SHA-256, in the same encoding. */
export const derivedId = (prefix: IdPrefix, name: string) =>
  `${prefix}_${toBase32(BigInt(`0x${createHash('sha256').update(name).digest('hex').slice(0, 32)}`))}`;

/**
 * An id that is a secret: anyone who knows it may use what it names. All of its 128 bits are random, where ids made by
 * `newId` at the same time follow each other.
 */
export const secretId = (prefix: IdPrefix): string =>
  `${prefix}_${toBase32(BigInt(`0x${randomBytes(16).toString('hex')}`))}`;

/** The id of a document: the first 128 bits of its SHA-256, in the same encoding. */
export const documentId = (hash: Buffer) => `doc_${toBase32(BigInt(`0x${hash.toString('hex', 0, 16)}`))}`;

/** The first 128 bits of the hash from which a document id was made. */
export function hashPrefixOf(id: string): Buffer {
  let value = 0n;
  for (const character of id.slice(id.indexOf('_') + 1)) value = (value << 5n) | BigInt(ALPHABET.indexOf(character));
  return Buffer.from((value & ((1n << 128n) - 1n)).toString(16).padStart(32, '0'), 'hex');
}

/** The prefix of a well-formed id, or undefined for any other string. */
export function prefixOf(id: string): IdPrefix | undefined {
  const prefix = ID.exec(id)?.[1];
  return prefix !== undefined && Object.hasOwn(PREFIXES, prefix) ? (prefix as IdPrefix) : undefined; // just checked
}

export const isId = (prefix: IdPrefix, id: string) => prefixOf(id) === prefix;

/** 26 characters hold 130 bits. The two highest are zero. */
function toBase32(bits: bigint): string {
  let value = bits;
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/**
 * The number in a text that is a number or an ID. Undefined for IDs, which never consist of digits only, and for
 * numbers of more than nine digits, which PostgreSQL's integer may not hold.
 */
export const resourceNumber = (idOrNumber: string): number | undefined =>
  /^[1-9][0-9]{0,8}$/.test(idOrNumber) ? Number(idOrNumber) : undefined;
