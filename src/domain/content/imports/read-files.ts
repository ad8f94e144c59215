import type { JSONDocument } from '../../../lib/document/document.ts';
import { badInput } from '../../../platform/errors.ts';
import type { Turn } from '../../../platform/heavy-work/heavy-work.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import type { PreparedDocument } from '../../store/bodies/index.ts';
import type { work } from './read-files-work.ts';
import type { ReadPage } from './read-repository.ts';
import type { PackedPage, Reading, ReadingMessage, ReadRepository } from './reading.ts';

/** Parses the body only when it is read: storing it takes the text. */
function unpack(document: PackedPage['document']): PreparedDocument | undefined {
  if (!document) return undefined;
  const { bodyText } = document;
  return {
    ...document,
    get body(): JSONDocument {
      return JSON.parse(bodyText);
    },
  };
}

const module = new URL('./read-files-work.ts', import.meta.url);

/** Time limit for one page. */
const QUIET_MS = 30_000;

/** Reads files in a thread, for at most 30 seconds per page. Throws BAD_USER_INPUT for files that cannot be read. */
export async function readFiles(
  turn: Turn,
  input: Reading,
  {
    signal,
    progress,
  }: { signal: AbortSignal; progress: ((counts: { found: number; read: number }) => void) | undefined },
): Promise<ReadRepository> {
  const pages: ReadPage[] = [];
  const onMessage = (message: unknown) => {
    const said = message as ReadingMessage; // posted by `work`
    if ('page' in said) pages.push({ ...said.page, document: unpack(said.page.document) });
    else progress?.(said.progress);
  };
  try {
    const outcome = await turn.inThread<typeof work>(module, input, { limitMs: QUIET_MS, signal, onMessage });
    if ('refused' in outcome) throw badInput(['url'], outcome.refused);
    const contents = outcome.done.contents.map((content) => ({ ...content, document: unpack(content.document) }));
    return { ...outcome.done, pages, contents };
  } catch (error) {
    throw error instanceof WorkExceeded ? badInput(['url'], `The source cannot be read: ${error.message}.`) : error;
  }
}
