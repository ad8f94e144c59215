import type { Context } from '../../../../platform/context/context.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import type { GitRunRow } from '../access.ts';
import { connectionById } from './access.ts';
import { openPullRequest } from './provider-api.ts';
import type { Proposal } from './record-run-end.ts';
import { shortRef } from './states.ts';

/** The branch for commits that a protected branch refuses. Only this service pushes to it. */
export const proposalRefOf = (ref: string) => `refs/heads/stemma/${shortRef(ref)}`;

const MAX_TITLE = 200;

/**
 * Opens a pull request from a branch with commits that the connected branch refused, unless one is open. The provider
 * decides that: a pull request that was closed is replaced by another one.
 */
export async function proposeCommit(
  ctx: Context,
  run: GitRunRow,
  { ref, message, say }: { ref: string; message: string; say(line: string): void },
): Promise<Proposal> {
  const row = run.connectionId === null ? undefined : await connectionById(ctx, run.connectionId);
  const present = row?.proposalRef === ref ? row.pullRequestUrl : null;
  if (!row) return { ref, pullRequestUrl: present };
  const [subject = '', ...rest] = message.split('\n');
  const opened = await openPullRequest(ctx, row, {
    head: shortRef(ref),
    base: shortRef(run.ref),
    title: cutTo(MAX_TITLE, subject),
    body: rest.join('\n').trim(),
  });
  if ('reason' in opened) {
    say(`A pull request could not be opened: ${opened.reason}`);
    return { ref, pullRequestUrl: present };
  }
  if (opened.isNew) say('Opened a pull request.');
  return { ref, pullRequestUrl: opened.url ?? present };
}
