import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../../platform/context/context.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { UnreadableSecret } from '../../../../platform/secret-key/errors.ts';
import type { GitConnectionRow } from './access.ts';
import { projectUrl } from './api-url.ts';
import { tokenOf } from './credentials.ts';

const MAX_RESPONSE_BYTES = 1_000_000;
const LIMIT_MS = 15_000;

/** Response of a provider's API. `reason` tells people why the request failed. */
export type ApiResponse = { body: Record<string, unknown> } | { reason: string; alreadyExists?: boolean };

/** State of a commit as providers show it beside a pull request. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure';
  description: string;
  targetUrl: string | null;
}

/**
 * Opens a pull request (GitHub: `POST /repos/{owner}/{repo}/pulls`; GitLab: `POST /projects/{id}/merge_requests`) and returns its URL.
 * Null if one from this branch is open already.
 */
export async function openPullRequest(
  ctx: Context,
  row: GitConnectionRow,
  { head, base, title, body }: { head: string; base: string; title: string; body: string },
): Promise<{ url: string | null } | { reason: string }> {
  const response =
    row.provider === 'gitlab'
      ? await post(ctx, row, '/merge_requests', { source_branch: head, target_branch: base, title, description: body })
      : await post(ctx, row, '/pulls', { head, base, title, body });
  if ('reason' in response) return response.alreadyExists ? { url: null } : response;
  const url = response.body[row.provider === 'gitlab' ? 'web_url' : 'html_url'];
  return { url: isWebUrl(url) ? url : null };
}

/** Sets the status of a commit (GitHub: `POST /repos/{owner}/{repo}/statuses/{sha}`; GitLab: `POST /projects/{id}/statuses/{sha}`). */
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

async function post(ctx: Context, row: GitConnectionRow, path: string, body: object): Promise<ApiResponse> {
  try {
    const token = await tokenOf(ctx, row);
    if (token === undefined) return { reason: 'The connection has no token for the API of the provider.' };
    const response = await ctx.services.fetch({
      url: `${projectUrl(row)}${path}`,
      method: 'POST',
      headers: { ...headersOf(row, token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
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
    if (typeof body === 'object' && body !== null) return { body: body as Record<string, unknown> }; // just checked
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
