import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { UnreadableSecret } from '../../../../platform/secret-key/errors.ts';
import type { GitConnectionRow } from './access.ts';
import { projectUrl } from './api-url.ts';
import { tokenOf } from './credentials.ts';

const MAX_RESPONSE_BYTES = 1_000_000;
const LIMIT_MS = 15_000;

/** Response of a provider's API: an object or a list. `reason` tells people why the request failed. */
export type ApiResponse = { body: object } | { reason: string; alreadyExists?: boolean };

/** State of a commit as providers show it beside a pull request. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure';
  description: string;
  targetUrl: string | null;
}

/** The branches of a pull request, by their short names. */
interface PullRequestBranches {
  head: string;
  base: string;
}

/**
 * Opens a pull request (GitHub: `POST /repos/{owner}/{repo}/pulls`; GitLab: `POST /projects/{id}/merge_requests`). If
 * one from this branch is open already, that one stays. Returns its URL, or null if the provider does not tell it.
 */
export async function openPullRequest(
  ctx: Context,
  row: GitConnectionRow,
  { head, base, title, body }: PullRequestBranches & { title: string; body: string },
): Promise<{ url: string | null; isNew: boolean } | { reason: string }> {
  const response =
    row.provider === 'gitlab'
      ? await post(ctx, row, '/merge_requests', { source_branch: head, target_branch: base, title, description: body })
      : await post(ctx, row, '/pulls', { head, base, title, body });
  if (!('reason' in response)) return { url: urlIn(row, pullRequest.safeParse(response.body).data), isNew: true };
  return response.alreadyExists ? { url: await openUrl(ctx, row, { head, base }), isNew: false } : response;
}

/**
 * The URL of the open pull request from a branch (GitHub: `GET /repos/{owner}/{repo}/pulls`; GitLab:
 * `GET /projects/{id}/merge_requests`). Null if the provider does not tell it.
 */
async function openUrl(ctx: Context, row: GitConnectionRow, { head, base }: PullRequestBranches) {
  const ofGitlab = { state: 'opened', source_branch: head, target_branch: base, per_page: '100' };
  const query =
    row.provider === 'gitlab'
      ? `/merge_requests?${new URLSearchParams(ofGitlab)}`
      : `/pulls?${new URLSearchParams({ state: 'open', head: `${ownerOf(row)}:${head}`, base })}`;
  const response = await send(ctx, row, query, { method: 'GET' });
  const listed = 'reason' in response ? [] : (z.array(pullRequest).safeParse(response.body).data ?? []);
  // A fork can have a branch of the same name. GitHub leaves those out.
  return urlIn(
    row,
    listed.find((each) => each.source_project_id === each.target_project_id),
  );
}

/** What is read of a pull request. Each provider has only some of it. */
const pullRequest = z.object({
  html_url: z.unknown().optional(),
  web_url: z.unknown().optional(),
  source_project_id: z.unknown().optional(),
  target_project_id: z.unknown().optional(),
});

/** The owner of a repository of GitHub, by which its branches are named among those of forks. */
const ownerOf = (row: GitConnectionRow) => projectUrl(row).split('/').at(-2);

function urlIn({ provider }: GitConnectionRow, opened: z.output<typeof pullRequest> | undefined): string | null {
  const url = provider === 'gitlab' ? opened?.web_url : opened?.html_url;
  return isWebUrl(url) ? url : null;
}

/**
 * Sets the status of a commit (GitHub: `POST /repos/{owner}/{repo}/statuses/{sha}`; GitLab: `POST
 * /projects/{id}/statuses/{sha}`).
 */
export async function postCommitStatus(
  ctx: Context,
  row: GitConnectionRow,
  oid: string,
  { state, description, targetUrl }: CommitStatus,
): Promise<ApiResponse> {
  const url = targetUrl === null ? {} : { target_url: targetUrl };
  return row.provider === 'gitlab'
    ? post(ctx, row, `/statuses/${oid}`, {
        state: state === 'failure' ? 'failed' : state,
        name: CONTEXT,
        description,
        ...url,
      })
    : post(ctx, row, `/statuses/${oid}`, { state, context: CONTEXT, description, ...url });
}

const CONTEXT = 'stemma';

const post = (ctx: Context, row: GitConnectionRow, path: string, body: object): Promise<ApiResponse> =>
  send(ctx, row, path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

async function send(
  ctx: Context,
  row: GitConnectionRow,
  path: string,
  { headers, ...request }: { method: 'GET' | 'POST'; body?: string; headers?: Record<string, string> },
): Promise<ApiResponse> {
  try {
    const token = await tokenOf(ctx, row);
    if (token === undefined) return { reason: 'The connection has no token for the API of the provider.' };
    const response = await ctx.services.fetch({
      url: `${projectUrl(row)}${path}`,
      ...request,
      headers: { ...headersOf(row, token), ...headers },
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: LIMIT_MS,
      followRedirects: false,
    });
    const text = (await buffer(response.body)).toString('utf8');
    return responseOf(response.status, text);
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof UnreadableSecret)) throw error;
    return { reason: error.message };
  }
}

function responseOf(status: number, text: string): ApiResponse {
  if (status < 200 || status > 299) {
    // GitLab responds with 409, and GitHub with 422, its status for all invalid requests.
    const alreadyExists = status === 409 || (status === 422 && text.includes('already exists'));
    return { reason: `The API of the provider responded with status ${status}.`, alreadyExists };
  }
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return { body };
  } catch {
    // Not JSON.
  }
  return { reason: 'The API of the provider did not respond with JSON.' };
}

/** GitHub and GitLab identify clients; GitHub refuses requests without a user agent. */
const headersOf = ({ provider }: GitConnectionRow, token: string): Record<string, string> =>
  provider === 'gitlab'
    ? { 'private-token': token, 'user-agent': 'stemma' }
    : { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'stemma' };

const isWebUrl = (url: unknown): url is string =>
  typeof url === 'string' && url.length <= 2_048 && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
