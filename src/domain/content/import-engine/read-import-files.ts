import { badInput } from '../../../platform/errors/errors.ts';
import type { Slot } from '../../../platform/heavy-work/heavy-work.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import type { EarlyBodyWriter } from './early-body-writer.ts';
import { TooManyPages } from './import-size.ts';
import { unpackable } from './read-body.ts';
import type { work } from './read-import-files-work.ts';
import type { ReadPage } from './read-repository.ts';
import type { ReadingInput, ReadingMessage, ReadRepository } from './reading.ts';
import type { SpoolReader } from './spool.ts';

const module = ownModule('domain/content/import-engine/read-import-files-work.ts');

/** Time limit for one page. */
const QUIET_MS = 30_000;

/** Number of files that fill the heap of a worker. */
const MANY_FILES = 500;

/**
 * Reads files in a worker, for at most 30 seconds per page. Throws BAD_USER_INPUT for
 * files that cannot be read, and `TooManyPages`.
 */
export async function readImportFiles(
  slot: Slot,
  input: ReadingInput,
  {
    signal,
    progress,
    spool,
    early,
  }: {
    signal: AbortSignal;
    progress: ((counts: { pagesFound: number; pagesRead: number }) => void) | undefined;
    /** Reads the bodies later, from the folder of the input. */
    spool: SpoolReader;
    /** Receives the bodies of pages as they are read. */
    early?: EarlyBodyWriter | undefined;
  },
): Promise<ReadRepository> {
  const pages: ReadPage[] = [];
  const onMessage = (message: unknown) => {
    const posted = message as ReadingMessage; // posted by `work`
    if ('progress' in posted) return progress?.(posted.progress);
    const body = posted.page.body && unpackable(posted.page.body, spool);
    const { title, description = null } = posted.page.plan;
    pages.push({ ...posted.page, body });
    if (body) early?.add({ title, description, body });
  };
  try {
    const isLarge = filesToRead(input) > MANY_FILES;
    const outcome = await slot.inWorker<typeof work>(module, input, { limitMs: QUIET_MS, isLarge, signal, onMessage });
    if ('tooManyPages' in outcome) throw new TooManyPages(outcome.tooManyPages);
    if ('refused' in outcome) throw badInput(['url'], outcome.refused, outcome.code);
    const contents = outcome.done.contents.map(({ body, ...content }) => {
      return { ...content, body: body && unpackable(body, spool) };
    });
    return { ...outcome.done, pages, contents };
  } catch (error) {
    throw error instanceof WorkExceeded ? badInput(['url'], `The source cannot be read: ${error.message}.`) : error;
  } finally {
    await early?.end();
  }
}

/** It is not known of archives. */
const filesToRead = ({ crawled }: ReadingInput): number =>
  crawled ? crawled.files.length - (crawled.ids?.kept?.size ?? 0) : Number.POSITIVE_INFINITY;
