import { inflateRawSync } from 'node:zlib';
import { deflateSync } from 'fflate';
import type { JSONDocument } from '../../../lib/document/document.ts';
import type { PreparedDocument } from '../../store/bodies/index.ts';

/** A document as a message of the thread: compressed, since the documents of a whole source do not fit into memory otherwise. */
export interface PackedDocument extends Pick<PreparedDocument, 'hash' | 'references'> {
  /** Length of the Markdown, in characters. */
  length: number;
  /** The body, Markdown and sections as JSON, compressed (RFC 1951). */
  bytes: Uint8Array;
}

/** A document of an import. `unpack` takes time and memory, and is called when the document is written. */
export interface ReadDocument extends Pick<PreparedDocument, 'hash' | 'references'> {
  length: number;
  unpack(): PreparedDocument;
}

interface Parts extends Omit<PreparedDocument, 'hash' | 'references' | 'body'> {
  bodyText: string;
}

/** Compresses in JavaScript: ending a thread while `node:zlib` works in it aborts the whole process. */
export function pack({ hash, references, body, ...others }: PreparedDocument): PackedDocument {
  const parts: Parts = { ...others, bodyText: JSON.stringify(body) };
  const bytes = deflateSync(Buffer.from(JSON.stringify(parts)), { level: 1 });
  return { hash, references, length: others.markdown.length, bytes };
}

export const unpackable = ({ hash, references, length, bytes }: PackedDocument): ReadDocument => ({
  hash,
  references,
  length,
  unpack() {
    const parts: Parts = JSON.parse(inflateRawSync(bytes).toString('utf8')); // written by `pack`
    return {
      ...parts,
      hash,
      references,
      // Parsed only when it is read: storing takes the text.
      get body(): JSONDocument {
        return JSON.parse(parts.bodyText);
      },
    };
  },
});

/** A document that is in memory already. */
export const inMemory = (document: PreparedDocument): ReadDocument => ({
  hash: document.hash,
  references: document.references,
  length: document.markdown.length,
  unpack: () => document,
});
