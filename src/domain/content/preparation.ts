import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { badInput } from '../../platform/errors.ts';
import { type DocumentInput, type ReadBody, readBody } from '../documents/index.ts';
import type { ChangePath } from './change-kind.ts';
import { Refs } from './refs.ts';

/** Markdown of all changes of one call together; more takes an import. */
const MAX_CHARACTERS = 1_000_000;

/** What the changes of one call share before the transaction. */
export class Preparation {
  readonly ctx: Context;
  readonly organizationId: string;
  readonly refs = new Refs();
  #characters = 0;

  constructor(ctx: Context, organizationId: string) {
    this.ctx = ctx;
    this.organizationId = organizationId;
  }

  /** Reads the body of the change at this path. Parsing takes a processor, so others get their turn between two. */
  async readBody(document: DocumentInput | null | undefined, path: ChangePath): Promise<ReadBody | undefined> {
    if (document == null) return undefined;
    this.#characters += document.markdown?.length ?? 0;
    if (this.#characters > MAX_CHARACTERS) {
      throw badInput(
        ['changes'],
        `hold more than ${MAX_CHARACTERS} characters of Markdown together; send them in parts.`,
      );
    }
    await setImmediate();
    return readBody(document, [...path, 'document']);
  }
}
