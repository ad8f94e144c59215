import { readFile } from 'node:fs/promises';
import { ExchangeError, type ExchangeFault } from '../../../../lib/translation/exchange-unit.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { ApiError, badInput, boundIssues } from '../../../../platform/errors/errors.ts';
import { localFileOf, uploadFor } from '../../../content/uploads/index.ts';

/** Largest file for exchange, in bytes. */
const MAX_EXCHANGE_BYTES = 20_000_000;

/** Faults that an error lists. */
const MAX_FAULTS = 50;

const PATH = ['uploadId'];

/** The bytes of an upload of the caller. Throws BAD_USER_INPUT if there is none, or if it is too large. */
export async function readUpload(ctx: Context, organizationId: string, uploadId: string): Promise<Buffer> {
  const upload = await uploadFor(ctx, organizationId, uploadId, PATH);
  const { size } = upload;
  if (size > MAX_EXCHANGE_BYTES) {
    throw badInput(
      PATH,
      `The file has ${size} bytes, but can have up to ${MAX_EXCHANGE_BYTES}. Split it.`,
      'TOO_LARGE',
    );
  }
  const localFile = await localFileOf(ctx, upload);
  try {
    return await readFile(localFile.path);
  } finally {
    await localFile.release();
  }
}

/** Result of a reader of a format. Its errors are BAD_USER_INPUT. */
export async function withInputErrors<Read>(read: Promise<Read>): Promise<Read> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof ExchangeError ? badInput(PATH, error.message) : error;
  }
}

/** Throws BAD_USER_INPUT with an issue for each unit that has a fault. */
export function rejectFaults(faults: readonly ExchangeFault[]): void {
  const issues = faults.slice(0, MAX_FAULTS).map(({ unit, message }) => ({
    path: PATH,
    code: 'INVALID_VALUE' as const,
    message: unit === undefined ? message : `Unit ${unit}: ${message}`,
  }));
  const [first] = issues;
  if (!first) return;
  const others = faults.length === 1 ? '' : ` (and ${faults.length - 1} more; nothing was imported)`;
  throw new ApiError('BAD_USER_INPUT', `uploadId: ${first.message}${others}`, boundIssues(issues));
}
