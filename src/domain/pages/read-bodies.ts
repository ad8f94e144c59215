import { setImmediate } from 'node:timers/promises';
import { badInput } from '../../platform/errors.ts';
import { type DocumentInput, type ReadBody, readBody } from '../documents/index.ts';
import type { ContentChange } from './content-changes.ts';

/** Bodies by the place of the change that writes them. */
export type Bodies = ReadonlyMap<number, ReadBody>;

/** Markdown of all changes of one call together; more takes an import. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Reads the bodies of changes, before any transaction: parsing takes a processor, so other requests get their turn between
 * two bodies, and nobody waits for a lock meanwhile.
 */
export async function readBodies(changes: readonly ContentChange[]): Promise<Bodies> {
  const bodies = new Map<number, ReadBody>();
  let characters = 0;
  for (const [index, change] of changes.entries()) {
    const [kind, document] = documentOf(change);
    if (document == null) continue;
    characters += document.markdown?.length ?? 0;
    if (characters > MAX_CHARACTERS) {
      throw badInput(
        ['changes'],
        `hold more than ${MAX_CHARACTERS} characters of Markdown together; send them in parts.`,
      );
    }
    await setImmediate();
    const body = readBody(document, ['changes', index, kind, 'document']);
    if (body) bodies.set(index, body);
  }
  return bodies;
}

const documentOf = ({ insertPage, updatePage }: ContentChange): [string, DocumentInput | null | undefined] =>
  insertPage ? ['insertPage', insertPage.document] : ['updatePage', updatePage?.document];
