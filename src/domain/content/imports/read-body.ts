import type { JSONDocument } from '../../../lib/document/document.ts';
import { ownAddress } from '../../../lib/document/own-address.ts';
import type { PreparedDocument, PreparedSource } from '../../store/bodies/index.ts';
import type { SpoolRange, SpoolReader, SpoolWriter } from './spool.ts';

/** A body that was just parsed, with the text it was written as if that is more than what is printed for it. */
export interface ParsedBody {
  document: PreparedDocument;
  source: PreparedSource | undefined;
}

/**
 * A body as a message of the thread. Everything else is in the spool: the bodies of a whole source do not fit into
 * memory, and copying them to another thread takes time there.
 */
export interface PackedBody extends Pick<PreparedDocument, 'hash'> {
  /** Absolute URLs in the body that may lead to content of this service. */
  addresses: readonly string[];
  sourceHash: string | undefined;
  /** Length of the Markdown, in characters. */
  length: number;
  range: SpoolRange;
}

/** A body of an import. `unpack` takes time and memory, and is called when the body is written. */
export interface ReadBody extends Omit<PackedBody, 'range'> {
  unpack(): Promise<ParsedBody>;
}

/** What is neither in the message nor a text of its own. */
interface Rest extends Pick<PreparedDocument, 'anchors' | 'references' | 'sections'> {
  source: Omit<PreparedSource, 'body'> | undefined;
}

export function pack({ document, source: written }: ParsedBody, spool: SpoolWriter, publicUrl: string): PackedBody {
  const { hash, references, body, bodyText = JSON.stringify(body), markdown, anchors, sections } = document;
  const { body: text = '', ...others } = written ?? {};
  const rest = { anchors, references, sections, ...(written && { source: others }) };
  const range = spool.write([JSON.stringify(rest), bodyText, markdown, text]);
  return {
    hash,
    addresses: addressesIn(document, publicUrl),
    sourceHash: written?.hash,
    length: markdown.length,
    range,
  };
}

export const unpackable = ({ range, ...packed }: PackedBody, spool: SpoolReader): ReadBody => ({
  ...packed,
  async unpack() {
    const [rest = '', bodyText = '', markdown = '', text = ''] = await spool.read(range);
    const { source, ...derived }: Rest = JSON.parse(rest); // written by `pack`
    return {
      document: {
        ...derived,
        hash: packed.hash,
        markdown,
        bodyText,
        // Parsed only when it is read: storing takes the text.
        get body(): JSONDocument {
          return JSON.parse(bodyText);
        },
      },
      source: source && { ...source, body: text },
    };
  },
});

/** A body that is in memory already, with all URLs of this service resolved. */
export const inMemory = (body: ParsedBody): ReadBody => ({
  hash: body.document.hash,
  addresses: [],
  sourceHash: body.source?.hash,
  length: body.document.markdown.length,
  unpack: async () => body,
});

function addressesIn({ references }: PreparedDocument, publicUrl: string): string[] {
  const addresses = references.flatMap(({ ref }) => {
    const kind = ref.kind === 'url' ? ownAddress(ref.url, publicUrl)?.kind : undefined;
    return ref.kind === 'url' && kind !== undefined && kind !== 'path' ? [ref.url] : [];
  });
  return [...new Set(addresses)];
}
