import { randomBytes } from 'node:crypto';

/** Prefix of each kind of id, and the type of the graph that it names (graphql.md, "One id everywhere"). */
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
  invite: 'LinkInvite',
  translation: 'Translation',
  cluster: 'IssuesCluster',
  conversation: 'Conversation',
  issue: 'ConversationIssue',
  openapi: 'OpenApiSpec',
  openapiversion: 'OpenApiSpecVersion',
  doc: 'Document',
  reusable: 'ReusableContent',
  token: 'ApiToken',
  event: 'Event',
  redirect: 'SiteRedirect',
  import: 'ImportRun',
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

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /^([a-z]+)_([0-9a-hjkmnp-tv-z]{26})$/;

/**
 * A new id: `<prefix>_` and a UUIDv7 (RFC 9562, 5.7) in Crockford base32, as the TypeID convention writes it.
 * Ids made in different milliseconds sort by time.
 */
export function newId(prefix: IdPrefix, now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return `${prefix}_${toBase32(bytes)}`;
}

/** The id of a document: the first 128 bits of its SHA-256, in the same alphabet. */
export const documentId = (hash: Buffer) => `doc_${toBase32(hash.subarray(0, 16))}`;

/** The first 128 bits of the hash that a document id was made of. */
export function hashPrefixOf(id: string): Buffer {
  let value = 0n;
  for (const character of id.slice(id.indexOf('_') + 1)) value = (value << 5n) | BigInt(ALPHABET.indexOf(character));
  return Buffer.from((value & ((1n << 128n) - 1n)).toString(16).padStart(32, '0'), 'hex');
}

/** The prefix of a well-formed id, or undefined for any other string. */
export function prefixOf(id: string): IdPrefix | undefined {
  const prefix = ID.exec(id)?.[1];
  return prefix !== undefined && prefix in PREFIXES ? (prefix as IdPrefix) : undefined; // checked by `in`
}

export const isId = (prefix: IdPrefix, id: string) => prefixOf(id) === prefix;

/** 26 characters hold 130 bits: the first carries two zero bits in front. */
function toBase32(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}
