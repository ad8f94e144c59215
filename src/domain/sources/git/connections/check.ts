import type { z } from 'zod';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { temporaryFolder } from '../runs/fetch-branch.ts';
import type { TransportResult } from '../transport/transport.ts';
import { transportOf } from '../transport/transport-of.ts';
import type { GitConnectionRow } from './access.ts';
import type { gitCheckName, gitCheckOutcome } from './enums.ts';
import { listRefs } from './list-refs.ts';
import { remoteOfConnection } from './remote-of-connection.ts';
import { shortRef } from './states.ts';

/** One check of a connection, with what to do about it. */
export interface GitCheck {
  name: z.output<typeof gitCheckName>;
  outcome: z.output<typeof gitCheckOutcome>;
  message: string;
}

const LIMIT_MS = 120_000;
const SKIPPED = 'Not checked, because an earlier check failed.';

/** Checks the repository of a connection. Fetches the branch, and writes nothing. Needs a scope. */
export async function checkConnection(ctx: Context, row: GitConnectionRow): Promise<GitCheck[]> {
  const listed = await listRefs(ctx, row, {});
  const hook = hookCheck(row, ctx.services.config.gitPollSeconds);
  if ('fault' in listed) {
    const skipped = (['rights', 'branch', 'layout'] as const).map((name) => check(name, 'skipped', SKIPPED));
    return [check('address', 'error', listed.fault.message), ...skipped, hook];
  }
  const address = check('address', 'ok', 'The repository can be read.');
  const { isEmpty, tip } = listed.refs;
  const rights = await rightsCheck(ctx, row);
  if (tip === null) {
    const message = isEmpty
      ? 'The repository has no commits. Push one, or start with the space as the winning side.'
      : `The repository has no branch "${shortRef(row.ref)}". Restore it, or set another ref.`;
    return [
      address,
      rights,
      check('branch', isEmpty ? 'warning' : 'error', message),
      check('layout', 'skipped', SKIPPED),
      hook,
    ];
  }
  const branch = check('branch', 'ok', `The latest commit of "${shortRef(row.ref)}" is ${tip}.`);
  return [address, rights, branch, await layoutCheck(ctx, row), hook];
}

const check = (name: GitCheck['name'], outcome: GitCheck['outcome'], message: string): GitCheck => ({
  name,
  outcome,
  message,
});

/** Servers answer the first request of a push to those who may push. Rules of a branch are only known after one. */
async function rightsCheck(ctx: Context, row: GitConnectionRow): Promise<GitCheck> {
  const listed = await listRefs(ctx, row, { forPush: true });
  if ('fault' in listed) {
    return check('rights', 'error', `The repository can be read, but not be pushed to: ${listed.fault.message}`);
  }
  if (row.proposalRef !== null) {
    return check(
      'rights',
      'warning',
      `"${shortRef(row.ref)}" is protected. Commits go to "${shortRef(row.proposalRef)}".`,
    );
  }
  return check(
    'rights',
    'ok',
    'The server accepts pushes with these credentials. A rule of the branch can still refuse them.',
  );
}

async function layoutCheck(ctx: Context, row: GitConnectionRow): Promise<GitCheck> {
  const outcome = await fetched(ctx, row);
  if ('fault' in outcome) return check('layout', 'error', outcome.fault.message);
  const paths = outcome.fetched.files.map(({ path }) => path);
  const pages = paths.filter(isMarkdown).length;
  if (pages === 0) return check('layout', 'error', 'The project directory has no Markdown file.');
  const has = (name: string) => paths.some((path) => path.toLowerCase() === name);
  if (has('.gitbook.yaml'))
    return check('layout', 'ok', `${pages} Markdown files. \`.gitbook.yaml\` says where pages are.`);
  if (has('summary.md'))
    return check('layout', 'ok', `${pages} Markdown files, with SUMMARY.md as the table of contents.`);
  return check('layout', 'warning', `${pages} Markdown files without SUMMARY.md. Pages are ordered by their paths.`);
}

async function fetched(ctx: Context, row: GitConnectionRow): Promise<TransportResult<'fetch'>> {
  const folder = await temporaryFolder(ctx);
  const remote = await remoteOfConnection(ctx, row);
  using slot = await ctx.services.heavyWork.begin('sync-git', { ctx, organizationId: row.organizationId });
  try {
    const transport = transportOf(remote, { slot, limitMs: LIMIT_MS });
    return await transport.fetch({ directory: row.projectDirectory, folder, depth: 1 });
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    return { fault: { code: 'TOO_LARGE', message: `The repository cannot be read: ${error.message}.` } };
  }
}

function hookCheck({ hookSeenAt }: GitConnectionRow, pollSeconds: number): GitCheck {
  if (hookSeenAt !== null) return check('hook', 'ok', `The hook was last used at ${hookSeenAt}.`);
  const polled =
    pollSeconds === 0
      ? 'Polling is turned off too, so pushes are not noticed.'
      : `Pushes are noticed within ${pollSeconds} seconds.`;
  return check(
    'hook',
    pollSeconds === 0 ? 'error' : 'warning',
    `No request has reached the hook. ${polled} Add a webhook with the URL and secret of the connection.`,
  );
}
