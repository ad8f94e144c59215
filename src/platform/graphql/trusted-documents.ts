import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { prepareDocument } from './prepare-document.ts';

/** The documents that clients may name by their hash. */
export interface TrustedDocuments {
  byId: ReadonlyMap<string, string>;
  texts: ReadonlySet<string>;
  /** Whether others are refused. */
  isOnly: boolean;
}

/** How a document is named (GraphQL over HTTP, "Persisted Documents"): `sha256:` and the hash of its text in hex. */
export const documentIdOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Reads a manifest, `{ "sha256:…": "query …" }`. Throws with everything that is wrong with it, one line for each. */
export function parseManifest(json: string, schema: GraphQLSchema, options: { isOnly: boolean }): TrustedDocuments {
  const byId = new Map(entriesOf(json));
  const faults = [...byId].flatMap(([id, text]) => faultsOf(id, text, schema));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { byId, texts: new Set(byId.values()), ...options };
}

function entriesOf(json: string): [string, string][] {
  const manifest: unknown = JSON.parse(json);
  const entries = typeof manifest === 'object' && manifest !== null ? Object.entries(manifest) : [];
  if (entries.length === 0 || !entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
    throw new Error('The manifest must be a JSON object of documents by their ids, with one document at least.');
  }
  return entries;
}

function faultsOf(id: string, text: string, schema: GraphQLSchema): string[] {
  if (id !== documentIdOf(text)) return [`${id}: the document below this id is ${documentIdOf(text)}.`];
  return documentFaults(text, schema).map((fault) => `${id}: ${fault}`);
}

/** Why a document could not run, whoever asked for it. */
export function documentFaults(text: string, schema: GraphQLSchema): string[] {
  const prepared = prepareDocument(schema, text);
  return 'faults' in prepared ? prepared.faults.map(({ message }) => message) : [];
}
