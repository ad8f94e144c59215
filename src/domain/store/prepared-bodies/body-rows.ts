import type { Yielder } from '../../../lib/tick.ts';
import type { PreparedDocument } from './prepare-document.ts';
import type { PreparedSource } from './source-text.ts';

/** A document as rows of its tables, in JSON. Rows of one table are separated by commas. */
export interface BodyRowsJson {
  document: string;
  sections: string;
  references: string;
}

/** The same in UTF-8, which is sent to the database as it is. */
export interface BodyRows extends Record<keyof BodyRowsJson, Buffer> {
  /** Hash of the document in hexadecimal. */
  hash: string;
}

/** A text as a row in JSON, in UTF-8. */
export interface SourceRow {
  hash: string;
  row: Buffer;
}

const MAX_TARGET = 200;

export function bodyTexts(document: PreparedDocument): BodyRowsJson {
  const { hash, bodyText, markdown, anchors, sections, references, uses } = document;
  const rest = JSON.stringify({ markdown, anchors, uses }).slice(1);
  return {
    // The body is embedded in the row as JSON: as a string, it would be escaped and parsed a second time. `body` is
    // read only without a text, since reading it may parse the text.
    document: `{"hash":"${hash}","body":${bodyText ?? JSON.stringify(document.body)},${rest}`,
    sections: sections.map((section, position) => JSON.stringify({ hash, position, ...section })).join(','),
    references: references
      .map((reference, position) => JSON.stringify({ hash, position, ...referenceRow(reference) }))
      .join(','),
  };
}

/** Long documents take milliseconds for each step. */
export async function bodyRows(document: PreparedDocument, pause: Yielder): Promise<BodyRows> {
  await pause();
  const { sections, references, ...texts } = bodyTexts(document);
  await pause();
  const row = Buffer.from(texts.document);
  await pause();
  return { hash: document.hash, document: row, sections: Buffer.from(sections), references: Buffer.from(references) };
}

export const sourceText = (source: PreparedSource): string => JSON.stringify(source);

function referenceRow({ ref, relation, blockKey, operation }: PreparedDocument['references'][number]) {
  return {
    kind: ref.kind,
    relation,
    target: targetOf(ref),
    space: 'space' in ref && ref.kind !== 'space' ? (ref.space ?? null) : null,
    block: blockKey,
    ref: JSON.stringify(operation === undefined ? ref : { ...ref, operation }),
  };
}

/** The id that a reference contains. URLs have none, and ids that are too long for an index entry cannot exist. */
function targetOf(ref: PreparedDocument['references'][number]['ref']): string | null {
  const named = {
    file: 'file' in ref ? ref.file : null,
    page: 'page' in ref ? ref.page : null,
    anchor: 'page' in ref ? ref.page : null,
    user: 'user' in ref ? ref.user : null,
    collection: 'collection' in ref ? ref.collection : null,
    space: 'space' in ref ? ref.space : null,
    'reusable-content': 'reusableContent' in ref ? ref.reusableContent : null,
    openapi: 'spec' in ref ? ref.spec : null,
    tag: null,
    url: null,
  }[ref.kind];
  return typeof named === 'string' && named.length <= MAX_TARGET ? named : null;
}
