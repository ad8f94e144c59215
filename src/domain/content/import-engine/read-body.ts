import type { JSONDocument } from '../../../lib/document/document.ts';
import { parseServiceUrl } from '../../../lib/document/service-url.ts';
import { makeYielder } from '../../../lib/tick.ts';
import {
  type BodyRows,
  bodyRows,
  bodyTexts,
  type PreparedDocument,
  type PreparedSource,
  type SourceRow,
  sourceText,
} from '../../store/prepared-bodies/index.ts';
import type { SpoolRange, SpoolReader, SpoolWriter } from './spool.ts';

/** A body that was just parsed, with its written text if that differs from the printed text. */
export interface ParsedBody {
  document: PreparedDocument;
  source: PreparedSource | undefined;
}

/**
 * A body as a message of the worker. Everything else is in the spool: the bodies of a whole source do not fit into
 * memory, and copying them from a worker takes time there.
 */
export interface PackedBody extends Pick<PreparedDocument, 'hash'> {
  /** Absolute URLs in the body that may lead to content of this service. */
  addresses: readonly string[];
  sourceHash: string | undefined;
  /** Length of the Markdown, in characters. */
  length: number;
  range: SpoolRange;
}

/** The stored values of a body. */
export interface StoredRows {
  document: BodyRows;
  source: SourceRow | undefined;
}

/** A body of an import. What it consists of takes memory, and is read when the body is written. */
export interface ImportedBody extends Omit<PackedBody, 'range'> {
  rows(): Promise<StoredRows>;
  unpack(): Promise<{ body: JSONDocument; source: PreparedSource | undefined }>;
}

/** The worker writes the rows, so that the event loop only passes bytes on. */
export function pack({ document, source }: ParsedBody, spool: SpoolWriter, publicUrl: string): PackedBody {
  const texts = bodyTexts(document);
  const range = spool.write([texts.document, texts.sections, texts.references, source ? sourceText(source) : '']);
  return {
    hash: document.hash,
    addresses: addressesIn(document, publicUrl),
    sourceHash: source?.hash,
    length: document.markdown.length,
    range,
  };
}

export const unpackable = ({ range, ...packed }: PackedBody, spool: SpoolReader): ImportedBody => {
  const { hash, sourceHash } = packed;
  const rows = async (): Promise<StoredRows> => {
    const [document = NOTHING, sections = NOTHING, references = NOTHING, row = NOTHING] = await spool.read(range);
    return {
      document: { hash, document, sections, references },
      source: sourceHash === undefined ? undefined : { hash: sourceHash, row },
    };
  };
  return {
    ...packed,
    rows,
    async unpack() {
      const { document, source } = await rows();
      const { body }: { body: JSONDocument } = JSON.parse(document.document.toString()); // written by `pack`
      const preparedSource: PreparedSource | undefined = source && JSON.parse(source.row.toString()); // the same
      return { body, source: preparedSource };
    },
  };
};

const NOTHING = Buffer.alloc(0);

/** A body that is in memory already, with all URLs of this service resolved. */
export const toImportedBody = ({ document, source }: ParsedBody): ImportedBody => ({
  hash: document.hash,
  addresses: [],
  sourceHash: source?.hash,
  length: document.markdown.length,
  rows: async () => ({
    document: await bodyRows(document, makeYielder()),
    source: source && { hash: source.hash, row: Buffer.from(sourceText(source)) },
  }),
  unpack: async () => ({ body: document.body, source }),
});

function addressesIn({ references }: PreparedDocument, publicUrl: string): string[] {
  const addresses = references.flatMap(({ ref }) => {
    const kind = ref.kind === 'url' ? parseServiceUrl(ref.url, publicUrl)?.kind : undefined;
    return ref.kind === 'url' && kind !== undefined && kind !== 'path' ? [ref.url] : [];
  });
  return [...new Set(addresses)];
}
