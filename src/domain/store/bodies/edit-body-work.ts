import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { keepBlocks } from '../../../lib/document/markdown/edit/keep-blocks.ts';
import type { Splice } from '../../../lib/document/markdown/edit/splice.ts';
import type { UrlTargets } from '../../../lib/document/service-url.ts';
import { deriveFromBody, type PreparedDocument, readForm } from '../prepared-bodies/index.ts';
import { isPermitted } from './limits.ts';

/** A text before and after replacements, with what its URLs refer to. */
export interface TextEdit {
  document: JSONDocument;
  before: string;
  splices: Splice[];
  after: string;
  targets: UrlTargets;
  /** Looks for URLs of content that `targets` does not have. */
  publicUrl?: string;
}

/** The document of an edited text, or the URLs in it whose targets have to be looked up first. */
export type EditedDocument =
  | { addresses: string[] }
  | { document: PreparedDocument; isEmpty: boolean; urls: string[]; changedLine?: number }
  | 'too large';

/** Reads an edited text. `urls` are those in it that have a known target. */
export function editedDocument({ targets, publicUrl, ...edit }: TextEdit): EditedDocument {
  const read = readForm({ markdown: edit.after }, { targets, publicUrl });
  if ('issues' in read) throw new Error('Markdown was read with issues.');
  if (read.addresses) return { addresses: read.addresses };
  if (!isPermitted(read.body)) return 'too large';
  const urls = new Set<string>();
  const resolveLink = (url: string): ContentRef | undefined => {
    if (!Object.hasOwn(targets, url)) return undefined;
    urls.add(url);
    return targets[url];
  };
  const { document, ...rest } = keepBlocks({ ...edit, read: read.body, resolveLink });
  return { document: deriveFromBody(document), isEmpty: read.isEmpty, urls: [...urls], ...rest };
}

/** Runs in a worker. The input is passed as JSON, which is copied faster than objects. */
export const work = (json: string): EditedDocument => editedDocument(JSON.parse(json));
