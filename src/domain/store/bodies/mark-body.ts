import { markChanges } from '../../../lib/diff/mark-changes.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { isSmallBody, WORK_MS } from './limits.ts';
import type { VersionsAsText, work } from './mark-body-work.ts';

/** Two versions of a body of an organization; null is an empty body. */
export interface BodyPair {
  organizationId: string;
  before: JSONDocument | null;
  after: JSONDocument | null;
  /** Ends marking large bodies. The reason is thrown. */
  signal?: AbortSignal;
}

/** The later body with its changes marked. Large bodies are processed in a worker. */
export async function markBody(ctx: Context, pair: BodyPair): Promise<JSONDocument> {
  if (isSmall(pair)) return markChanges(pair.before, pair.after, makeYielder());
  return JSON.parse(await markApart(ctx, pair, 'document'));
}

/** The same as Markdown. */
export async function markBodyAsMarkdown(ctx: Context, pair: BodyPair): Promise<string> {
  if (isSmall(pair)) return printMarkdown(await markChanges(pair.before, pair.after, makeYielder()), IN_PAGES);
  return markApart(ctx, pair, 'markdown');
}

const isSmall = ({ before, after }: BodyPair) => [before, after].every((body) => body === null || isSmallBody(body));

async function markApart(
  ctx: Context,
  { organizationId, before, after, signal }: BodyPair,
  form: VersionsAsText['form'],
): Promise<string> {
  const module = ownModule('domain/store/bodies/mark-body-work.ts');
  const asText = (body: JSONDocument | null) => body && JSON.stringify(body);
  try {
    const input = { before: asText(before), after: asText(after), form };
    const of = { ctx, organizationId, signal };
    return await ctx.services.heavyWork.inWorker<typeof work>('mark-body', of, { module, input, limitMs: WORK_MS });
  } catch (error) {
    if (!(error instanceof WorkExceeded) || signal?.aborted) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', `The changes of this body cannot be marked: ${error.message}.`);
  }
}
