import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { prepareDocument } from './prepare-document.ts';

/** Documents that clients can select by their hash. */
export interface TrustedDocuments {
  /** Texts by id. SHA-256 hashes have two ids: with and without the prefix `sha256:`. */
  byId: ReadonlyMap<string, string>;
  texts: ReadonlySet<string>;
  /** Whether other documents are rejected. */
  isOnly: boolean;
}

/** The id of a document: `sha256:` and the hexadecimal hash of its text (GraphQL over HTTP, "Persisted Documents"). */
export const documentIdOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/**
 * Parses a manifest of documents by id: `{ "sha256:<hash>": "query …" }`, as `npm run documents` writes it, or with
 * plain MD5, SHA-1 or SHA-256 hashes as relay-compiler's `persistConfig` writes it. Hashes are lowercase hexadecimal.
 * Throws an error that lists all errors, one per line.
 */
export function parseDocumentManifest(
  json: string,
  schema: GraphQLSchema,
  options: { isOnly: boolean },
): TrustedDocuments {
  const entries = entriesOf(json);
  const errors = entries.flatMap(([id, text]) => entryErrors(id, text, schema));
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const byId = new Map(entries.flatMap(([id, text]) => idsOf(id).map((name) => [name, text])));
  return { byId, texts: new Set(byId.values()), ...options };
}

/** Adds documents that are known to be valid, by the same ids. */
export function withDocuments(
  { byId: trusted, isOnly }: Pick<TrustedDocuments, 'byId' | 'isOnly'>,
  added: Readonly<Record<string, string>>,
): TrustedDocuments {
  const more = Object.entries(added).flatMap(([id, text]) => idsOf(id).map((name) => [name, text] as const));
  const byId = new Map([...trusted, ...more]);
  return { byId, texts: new Set(byId.values()), isOnly };
}

function entriesOf(json: string): [string, string][] {
  const manifest: unknown = JSON.parse(json);
  const entries = typeof manifest === 'object' && manifest !== null ? Object.entries(manifest) : [];
  if (entries.length === 0 || !entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
    throw new Error('The manifest must be a JSON object of documents by their ids, with one document at least.');
  }
  return entries;
}

function entryErrors(id: string, text: string, schema: GraphQLSchema): string[] {
  if (!isHashOf(id, text)) return [`${id}: the document below this id is ${documentIdOf(text)}.`];
  return documentErrors(text, schema).map((message) => `${id}: ${message}`);
}

/** By the length of the hash in hex. */
const ALGORITHMS: Record<number, string> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

function isHashOf(id: string, text: string): boolean {
  const hash = bare(id);
  const algorithm = hash === id ? ALGORITHMS[id.length] : 'sha256';
  return algorithm !== undefined && createHash(algorithm).update(text).digest('hex') === hash;
}

const idsOf = (id: string): string[] => (bare(id).length === 64 ? [bare(id), `sha256:${bare(id)}`] : [id]);

const bare = (id: string) => id.replace(/^sha256:/, '');

/** Returns the messages of the errors that make a document invalid for every caller. Empty if it can run. */
export function documentErrors(text: string, schema: GraphQLSchema): string[] {
  const prepared = prepareDocument(schema, text);
  return 'errors' in prepared ? prepared.errors.map(({ message }) => message) : [];
}
