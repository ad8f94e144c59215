import { recordOf } from '../../../../lib/is-record.ts';

/** Event that a webhook reports. */
export type PushEvent =
  /** Something was pushed. Without a ref, to any branch. */
  | { kind: 'push'; ref: string | null }
  /** A pull request to a branch has new commits. */
  | { kind: 'pull-request'; number: number; ref: string; base: string; commit: string }
  /** Nothing to do. */
  | { kind: 'other' };

const OTHER: PushEvent = { kind: 'other' };

/**
 * Reads the payload of a webhook of GitHub (events `push` and `pull_request`) or GitLab (push and merge request
 * events). Other requests with the secret count as a push, because a push only means that the branch is checked.
 */
export function parsePushEvent(event: string | undefined, payload: unknown): PushEvent {
  if (event === 'ping') return OTHER;
  const body = recordOf(payload);
  if (event === 'pull_request') return pullRequest(body);
  if (event === 'Merge Request Hook') return mergeRequest(body);
  return { kind: 'push', ref: typeof body.ref === 'string' ? body.ref : null };
}

function pullRequest({ action, number, pull_request }: Members): PushEvent {
  if (!['opened', 'synchronize', 'reopened'].includes(String(action))) return OTHER;
  const { head, base } = recordOf(pull_request);
  return request({ number, base: recordOf(base).ref, commit: recordOf(head).sha }, (id) => `refs/pull/${id}/head`);
}

function mergeRequest({ object_attributes }: Members): PushEvent {
  const { action, iid, target_branch, last_commit } = recordOf(object_attributes);
  if (!['open', 'update', 'reopen'].includes(String(action))) return OTHER;
  const commit = recordOf(last_commit).id;
  return request({ number: iid, base: target_branch, commit }, (id) => `refs/merge-requests/${id}/head`);
}

function request(
  { number, base, commit }: { number: unknown; base: unknown; commit: unknown },
  refOf: (id: number) => string,
): PushEvent {
  if (!Number.isInteger(number) || Number(number) < 1 || Number(number) > MAX_NUMBER) return OTHER;
  if (typeof base !== 'string' || typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit)) return OTHER;
  return {
    kind: 'pull-request',
    number: Number(number),
    ref: refOf(Number(number)),
    base: `refs/heads/${base}`,
    commit,
  };
}

/** Maximum of a PostgreSQL `int`. */
const MAX_NUMBER = 2 ** 31 - 1;

type Members = Readonly<Record<string, unknown>>;
