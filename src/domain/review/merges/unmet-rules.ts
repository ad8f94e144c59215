import type { JSONDocument } from '../../../lib/document/document.ts';
import { isEmptyDocument } from '../../../lib/document/empty.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { evaluateSource } from '../../../lib/expression/condition.ts';
import type { ExpressionScope } from '../../../lib/expression/expression.ts';
import type { ChangeRequestRow } from '../../content/change-requests/index.ts';
import type { MergeRule } from '../../people/organizations/index.ts';
import type { Verdict } from '../reviews/index.ts';

/** A merge rule that is not met, with a message for the user who merges. */
export interface UnmetRule {
  rule: MergeRule['rule'];
  message: string;
}

/** Facts that merge rules depend on. */
export interface MergeFacts {
  changeRequest: ChangeRequestRow;
  /** The primary content has changed since the change request was created or last updated. */
  outdated: boolean;
  /** The latest review of each reviewer who can still review. */
  verdicts: readonly Verdict[];
  /** The user who merges. Undefined for actors that are not users. */
  actorId: string | undefined;
  /** Display names of users, by id. */
  names: ReadonlyMap<string, string>;
  /** Whether the user who merges sees the rules. Messages about others name neither users nor conditions. */
  seesRules: boolean;
}

/** What is said of rules that contain more than their kind, to callers who do not see them. */
const UNSEEN: Partial<Record<MergeRule['rule'], string>> = {
  custom: 'A condition of the organization is not met.',
  require_specific_reviewers: 'Still needs approval by reviewers whom the organization names.',
  require_one_of_specific_reviewers: 'Still needs approval by a reviewer whom the organization names.',
};

/**
 * The rules that are not met, in their order. Empty for users of a bypass rule. A review of an earlier revision does
 * not count towards rules that require a review, but a request for changes remains in effect until its reviewer reviews
 * again.
 */
export function unmetRules(rules: readonly MergeRule[], facts: MergeFacts): UnmetRule[] {
  const { actorId, seesRules } = facts;
  const mayBypass = (rule: MergeRule) =>
    rule.rule === 'allow_bypass' && actorId !== undefined && rule.users.includes(actorId);
  if (rules.some(mayBypass)) return [];
  return rules.flatMap((rule) => {
    const message = messageOf(rule, facts);
    if (message === undefined) return [];
    return [{ rule: rule.rule, message: (seesRules ? undefined : UNSEEN[rule.rule]) ?? message }];
  });
}

function messageOf(rule: MergeRule, facts: MergeFacts): string | undefined {
  if (rule.rule === 'custom') return customMessage(rule, facts);
  if (rule.rule === 'require_specific_reviewers') {
    const missing = rule.users.filter((userId) => !approvals(facts).includes(userId));
    return missing.length === 0 ? undefined : `Still needs approval by ${listed(missing, facts)}.`;
  }
  if (rule.rule === 'require_one_of_specific_reviewers') {
    const isApproved = rule.users.length === 0 || rule.users.some((userId) => approvals(facts).includes(userId));
    return isApproved ? undefined : `Still needs approval by one of ${listed(rule.users, facts)}.`;
  }
  return rule.rule === 'allow_bypass' ? undefined : CONDITIONS[rule.rule](facts);
}

type PlainKind = Exclude<MergeRule, { users: string[] } | { expression: string }>['rule'];

/** The message of each rule if it is not met. */
const CONDITIONS: Record<PlainKind, (facts: MergeFacts) => string | undefined> = {
  require_at_least_one_review: (facts) =>
    currentReviews(facts).length > 0 ? undefined : 'The current revision has not been reviewed.',
  require_at_least_one_approved_review: (facts) =>
    approvals(facts).length > 0 ? undefined : 'The current revision has not been approved.',
  require_all_reviews_approved: (facts) => {
    const against = facts.verdicts.filter(({ status }) => status === 'changes-requested');
    const reviewers = against.map(({ reviewerId }) => reviewerId);
    return reviewers.length === 0 ? undefined : `Changes were requested by ${listed(reviewers, facts)}.`;
  },
  // Agents cannot submit reviews yet.
  require_agent_review: () => 'No agent has reviewed the change request.',
  require_up_to_date_change_request: ({ outdated }) =>
    outdated ? 'The change request is out of date; update it first.' : undefined,
  require_change_request_subject: ({ changeRequest: { subject } }) =>
    subject.trim() === '' ? 'The change request has no subject.' : undefined,
  require_change_request_description: ({ changeRequest }) =>
    descriptionOf(changeRequest) === '' ? 'The change request has no description.' : undefined,
  require_author_to_merge: ({ changeRequest, actorId }) =>
    changeRequest.createdBy === actorId ? undefined : 'Only the author of the change request can merge it.',
};

/** Reviews of the current revision, without those of the author. */
const currentReviews = ({ changeRequest, verdicts }: MergeFacts) =>
  verdicts.filter(
    ({ reviewerId, revisionId }) => revisionId === changeRequest.revisionId && reviewerId !== changeRequest.createdBy,
  );

const approvals = (facts: MergeFacts): string[] =>
  currentReviews(facts).flatMap(({ status, reviewerId }) => (status === 'approved' ? [reviewerId] : []));

const listed = (userIds: readonly string[], { names }: MergeFacts) =>
  userIds.map((userId) => names.get(userId) ?? userId).join(', ');

function customMessage({ expression, message }: MergeRule & { rule: 'custom' }, facts: MergeFacts): string | undefined {
  if (expression.trim() === '') return undefined;
  const outcome = evaluateSource(expression, scopeOf(facts));
  if ('value' in outcome && outcome.value) return undefined;
  if (message) return message;
  const reason = 'unknown' in outcome ? ` ${outcome.unknown}` : '';
  return `The condition is not met: ${expression}.${reason}`;
}

/**
 * Variables of custom rules: `changeRequest.number`, `.subject`, `.description` (Markdown), `.outdated` and
 * `.createdBy.id`; `reviews`, each with `status`, `outdated` and `reviewer.id`; `approvals`, the ids of users who
 * approved the current revision; `actor.id`.
 */
function scopeOf(facts: MergeFacts): ExpressionScope {
  const { changeRequest, verdicts, outdated, actorId } = facts;
  const reviews = verdicts.map(({ status, reviewerId, revisionId }) => ({
    status,
    outdated: revisionId !== changeRequest.revisionId,
    reviewer: { id: reviewerId },
  }));
  const { subject, number, createdBy } = changeRequest;
  const description = descriptionOf(changeRequest);
  return new Map<string, ExpressionScope extends ReadonlyMap<string, infer Member> ? Member : never>([
    ['changeRequest', { number, subject, description, outdated, createdBy: { id: createdBy } }],
    ['reviews', reviews],
    ['approvals', approvals(facts)],
    ['actor', { id: actorId }],
  ]);
}

/** As Markdown. Empty without a description. */
function descriptionOf({ description }: ChangeRequestRow): string {
  const document = description as JSONDocument | null; // validated when it was stored
  return document === null || isEmptyDocument(document) ? '' : printMarkdown(document).trim();
}
