import { createHash } from 'node:crypto';
import { memoryOf } from '../../../../lib/document/size.ts';
import {
  type Assembled,
  type AssembledFile,
  assemble,
  type SpecificationFile,
} from '../../../../lib/openapi/assemble.ts';
import { compareSpecifications, countBreaking, type SpecificationChange } from '../../../../lib/openapi/compare.ts';
import { type SpecificationFault, UnusableSpecification } from '../../../../lib/openapi/fault.ts';
import { type FoundOperation, operationsOf } from '../../../../lib/openapi/operations.ts';
import { type Outline, schemasOf, specificationOutline } from '../../../../lib/openapi/outline.ts';
import { operationText, sizeOfTexts } from '../../../../lib/openapi/page-texts.ts';
import { pageKeysOf } from '../../../../lib/openapi/pages.ts';
import { isJsonRecord, type JsonValue, type SourceFormat } from '../../../../lib/openapi/read-source.ts';
import { Specification } from '../../../../lib/openapi/specification.ts';
import { pageTerms } from '../../../../lib/search/page-terms.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import { type FileBytes, textOfPieces } from './file-bytes.ts';
import { type Batches, makeBatches, type PostRows } from './row-batches.ts';

export interface ProcessInput {
  /** The entry point first. */
  files: { location: string; bytes: Uint8Array }[];
  /** Digest of the latest version. If it equals that of the files, nothing else is done. */
  latestDigest: string | null;
  /** Files of the latest version as JSON, to compare it with. Empty for the first version. */
  latest: FileBytes[];
}

/** Result of the worker. Rows are sent as messages before. */
export type ProcessOutput =
  | { kind: 'missing'; locations: string[] }
  | { kind: 'unusable'; faults: SpecificationFault[] }
  | { kind: 'unchanged' }
  | { kind: 'processed'; version: ProcessedVersion; words: string[] };

export interface ProcessedVersion {
  digest: string;
  format: SourceFormat;
  openapiVersion: string;
  title: string;
  apiVersion: string;
  operationsCount: number;
  schemasCount: number;
  filesCount: number;
  changesCount: number;
  breakingChangesCount: number;
  /** As JSON. */
  outline: string;
  pageKeys: string[];
}

/** Runs in a worker: parses and upgrades a specification, and takes it apart. */
export function work({ files, latestDigest, latest }: ProcessInput, post: PostRows): ProcessOutput {
  try {
    const digest = digestOf(files);
    if (digest === latestDigest) return { kind: 'unchanged' };
    const assembled = assemble(files.map(decoded));
    if ('missing' in assembled) return { kind: 'missing', locations: assembled.missing };
    const { outline, ...version } = takeApart(assembled, latest, post);
    return {
      kind: 'processed',
      version: { digest, ...version, outline: printedOutline(outline) },
      words: wordsOf(outline),
    };
  } catch (error) {
    if (error instanceof UnusableSpecification) return { kind: 'unusable', faults: [...error.faults] };
    throw error;
  }
}

function takeApart({ files, openapiVersion }: Assembled, latest: ProcessInput['latest'], post: PostRows) {
  const specification = new Specification(files);
  const operations = operationsOf(specification);
  const schemas = Object.entries(schemasOf(specification.document));
  const batches = makeBatches(post);
  for (const [position, file] of files.entries()) addFile(position, file, batches);
  const refs = new Set([
    ...addOperations(specification, operations, batches),
    ...addSchemas(specification, schemas, batches),
  ]);
  for (const ref of refs) {
    const value = specification.part(ref);
    if (value !== undefined && Buffer.byteLength(ref) <= MAX_REF_BYTES)
      batches.add('openapi_part', { ref, body: JSON.stringify(value) });
  }
  const changes = addChanges(latest, specification, batches);
  batches.end();
  const outline = specificationOutline(specification, operations);
  return {
    format: files[0]?.format ?? 'json',
    openapiVersion,
    title: outline.title,
    apiVersion: outline.version,
    operationsCount: operations.length,
    schemasCount: schemas.length,
    filesCount: files.length,
    changesCount: changes.length,
    breakingChangesCount: countBreaking(changes),
    outline,
    pageKeys: pageKeysOf(outline),
  };
}

/** Memory of an outline in bytes, so that each fits into the cache of outlines. */
const MAX_OUTLINE = 40_000_000;

/** Memory of the texts of operations on all pages in bytes, so that they can be searched. */
const MAX_TEXTS = 20_000_000;

function printedOutline(outline: Outline): string {
  if (memoryOf(outline) > MAX_OUTLINE) throw new UnusableSpecification([{ message: LARGE_OUTLINE }]);
  if (sizeOfTexts(outline) > MAX_TEXTS) throw new UnusableSpecification([{ message: LARGE_TEXTS }]);
  return JSON.stringify(outline);
}

const LARGE_OUTLINE =
  'The titles, descriptions, tags, parameters and examples on pages, with the names of schemas, take more than 40 MB.';
const LARGE_TEXTS =
  'The operations on all pages take more than 20 MB, with their parameters and examples. An operation is on the page of each of its tags.';

/** The words that the pages of a specification are found by. */
function wordsOf(outline: Outline): string[] {
  const { title, description, tags, operations, schemas } = outline;
  const words = new Set<string>();
  const add = (texts: (string | undefined)[]) => {
    const text = { title: '', description: '', sections: [{ title: null, body: texts.join('\n') }] };
    for (const word of pageTerms(text).words) words.add(word);
  };
  add([title, description, schemas.join(' ')]);
  for (const tag of tags) add([tag.name, tag.title, tag.summary, tag.description]);
  for (const operation of operations) add([operationText(operation).title ?? '', operationText(operation).body]);
  return [...words];
}

/** Length of a piece of a file, in UTF-16 units. */
const PIECE_CHARACTERS = 128 * 1024;

function addFile(
  position: number,
  { filename, references, text, specification }: AssembledFile,
  batches: Batches,
): void {
  const [source, content] = [piecesOf(text), piecesOf(JSON.stringify(specification))];
  for (let piece = 0; piece < Math.max(source.length, content.length); piece++) {
    const part = { source: source[piece] ?? '', specification: content[piece] ?? '' };
    batches.add('openapi_file', { position, piece, filename, references, ...part });
  }
}

/** Pieces that do not end within a surrogate pair. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_CHARACTERS;
    const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    pieces.push(text.slice(start, isWithinPair ? end - 1 : end));
    start = isWithinPair ? end - 1 : end;
  }
  return pieces;
}

/** Adds the rows of operations. Returns the references that they depend on. */
function addOperations(
  specification: Specification,
  operations: FoundOperation[],
  batches: Batches,
): ReadonlySet<string> {
  const refs = new Set<string>();
  for (const [
    position,
    { body, isDeprecated, operationId, kind, method, path, summary, tags },
  ] of operations.entries()) {
    const parts = specification.dependencies(body);
    for (const ref of parts) refs.add(ref);
    const described = { kind, method, path, operation_id: operationId, summary, tags, is_deprecated: isDeprecated };
    const id = newId('openapioperation');
    batches.add('openapi_operation', { id, position, ...described, body: JSON.stringify(body), parts });
  }
  return refs;
}

/** The same for schemas. */
function addSchemas(
  specification: Specification,
  schemas: [string, JsonValue][],
  batches: Batches,
): ReadonlySet<string> {
  const refs = new Set<string>();
  for (const [position, [name, schema]] of schemas.entries()) {
    const parts = specification.dependencies(schema);
    for (const ref of parts) refs.add(ref);
    const title = isJsonRecord(schema) && typeof schema.title === 'string' ? schema.title : null;
    const id = newId('openapischema');
    batches.add('openapi_schema', { id, position, name, title, body: JSON.stringify(schema), parts });
  }
  return refs;
}

function addChanges(latest: ProcessInput['latest'], after: Specification, batches: Batches): SpecificationChange[] {
  if (latest.length === 0) return [];
  const changes = compareSpecifications(specificationOf(latest), after);
  for (const [position, { isBreaking, ...change }] of changes.entries()) {
    batches.add('openapi_change', { position, ...change, is_breaking: isBreaking });
  }
  return changes;
}

/** A stored version. */
export const specificationOf = (files: readonly FileBytes[]): Specification =>
  new Specification(files.map(({ pieces, ...file }) => ({ ...file, specification: JSON.parse(textOfPieces(pieces)) })));

function digestOf([entry, ...others]: ProcessInput['files']): string {
  const hash = createHash('sha256').update(entry?.bytes ?? '');
  for (const { location, bytes } of others.toSorted((a, b) => (a.location < b.location ? -1 : 1))) {
    hash.update(`\n${location.length} ${location} ${bytes.length} `).update(bytes);
  }
  return hash.digest('hex');
}

function decoded({ location, bytes }: ProcessInput['files'][number]): SpecificationFile {
  try {
    // Removes the byte order mark too.
    return { location, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new UnusableSpecification([{ message: 'The source is not UTF-8.' }]);
  }
}

/** Size of a reference, which is the key of a row. Parts with larger ones stay unresolved. */
const MAX_REF_BYTES = 1_000;
