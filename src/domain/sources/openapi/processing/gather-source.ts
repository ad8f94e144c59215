import { type SpecificationFault, UnusableSpecification } from '../../../../lib/openapi/fault.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import { MAX_SOURCE_BYTES, MAX_SPECIFICATION_FILES } from '../settings.ts';
import { type FetchedFile, type FetchLimits, fetchLimits, fetchSource, type Validators } from './fetch-source.ts';
import { fileBytesOf } from './file-bytes.ts';
import type { ProcessedVersion, ProcessInput, ProcessOutput, work } from './process-work.ts';
import type { ProcessedRows } from './row-batches.ts';

/** The outcome of reading a source: a version with the rows of its tables, or nothing new. */
export type Gathered = Validators & ({ isUnchanged: true } | ({ isUnchanged: false } & GatheredVersion & Disposable));

/** A version with the rows of its tables, and the URL that the entry point was received from, if it was. */
export interface GatheredVersion {
  version: ProcessedVersion;
  rows: ProcessedRows[];
  /** The words that its pages are found by. */
  words: string[];
  location: string | null;
}

/** A worker that is silent for so long is stopped. */
const QUIET_MS = 60_000;

/** Rounds of fetching the files that files refer to. */
const MAX_ROUNDS = 10;

const module = ownModule('domain/sources/openapi/processing/process-work.ts');

const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/**
 * Fetches and processes the source of a specification, and all files that it refers to. Throws `OutboundError`,
 * `UnusableSpecification`, `WorkExceeded`, or SERVICE_UNAVAILABLE if too much work is waiting. The rows of a version
 * can take 100 MB: it has its slot for heavy work until it is disposed.
 */
export async function gatherSource(
  ctx: Context,
  spec: Row<'openapi_spec'>,
  latestDigest: string | null,
  signal: AbortSignal,
): Promise<Gathered> {
  const limits = fetchLimits(signal);
  const first = await entryOf(ctx, spec, latestDigest, limits);
  if (!first) return { isUnchanged: true, etag: spec.etag, lastModified: spec.lastModified };
  const files: FetchedFile[] = [{ location: first.location, bytes: first.bytes }];
  const validators = { etag: first.etag, lastModified: first.lastModified };
  if (latestDigest !== null && (await sha256Of(first.bytes)) === latestDigest)
    return { isUnchanged: true, ...validators };
  const { latestVersionId } = spec;
  const latest = latestVersionId === null ? [] : await fileBytesOf(ctx, latestVersionId, 'specification');
  const processing = { ctx, organizationId: spec.organizationId, signal };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { output, rows, slot } = await process(processing, { files, latestDigest, latest });
    if (output.kind === 'unusable') throw new UnusableSpecification(output.faults);
    // A conditional request of the entry point says nothing about the other files.
    const usableValidators = files.length === 1 ? validators : NO_VALIDATORS;
    if (output.kind === 'unchanged') return { isUnchanged: true, ...usableValidators };
    const location = spec.sourceUrl === null ? null : first.location;
    if (output.kind === 'processed') {
      const { version, words } = output;
      const release = () => slot[Symbol.dispose]();
      return { isUnchanged: false, version, words, rows, location, ...usableValidators, [Symbol.dispose]: release };
    }
    await addFiles(ctx, files, output.locations, limits);
  }
  throw unusable(`The references of the specification are nested more than ${MAX_ROUNDS} files deep.`);
}

/** The digest of a version with only this file. Computed outside of the event loop. */
const sha256Of = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');

async function entryOf(ctx: Context, spec: Row<'openapi_spec'>, latestDigest: string | null, limits: FetchLimits) {
  const { sourceUrl, sourceText } = spec;
  if (sourceUrl !== null)
    return fetchSource(ctx, sourceUrl, { validators: latestDigest === null ? NO_VALIDATORS : spec, limits });
  const bytes = Buffer.from(sourceText ?? '');
  const isJson = (sourceText ?? '').trimStart().startsWith('{');
  return { location: isJson ? 'openapi.json' : 'openapi.yaml', bytes, ...NO_VALIDATORS };
}

interface Processing {
  ctx: Context;
  organizationId: string;
  signal: AbortSignal;
}

/**
 * Takes a slot for one round only, since servers may take long to respond with the files of the next one. After the
 * last one, the slot is given back with the version.
 */
async function process({ ctx, ...owner }: Processing, input: ProcessInput) {
  const slot = await ctx.services.heavyWork.begin('process-openapi', { ctx, ...owner });
  const rows: ProcessedRows[] = [];
  let isKept = false;
  try {
    const output: ProcessOutput = await slot.inWorker<typeof work>(
      module,
      input,
      { limitMs: QUIET_MS, onMessage: (message) => void rows.push(message as ProcessedRows) }, // the messages of the function
    );
    isKept = output.kind === 'processed';
    return { output, rows, slot };
  } finally {
    if (!isKept) slot[Symbol.dispose]();
  }
}

async function addFiles(ctx: Context, files: FetchedFile[], locations: string[], limits: FetchLimits): Promise<void> {
  if (files.length + locations.length > MAX_SPECIFICATION_FILES)
    throw unusable(`The specification has more than ${MAX_SPECIFICATION_FILES} files.`);
  for (const location of locations) {
    const remainingBytes = MAX_SOURCE_BYTES - files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const maxBytes = Math.max(1, remainingBytes);
    const file = await fetchSource(ctx, location, { validators: NO_VALIDATORS, limits, maxBytes });
    // References name the requested URL, whatever it redirects to.
    if (file) files.push({ location, bytes: file.bytes });
  }
}

const unusable = (message: string) => new UnusableSpecification([{ message } satisfies SpecificationFault]);
