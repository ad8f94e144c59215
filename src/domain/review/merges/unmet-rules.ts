import type { JSONDocument } from '../../../lib/document/document.ts';
import { isEmptyDocument } from '../../../lib/document/empty.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { evaluateSource } from '../../../lib/expression/condition.ts';
import type { Scope } from '../../../lib/expression/expression.ts';
import type { ChangeRequestRow } from '../../content/change-requests/index.ts';
import type { MergeRule } from '../../people/organizations/index.ts';
import type { Verdict } from '../reviews/index.ts';

/** A merge rule that a change request does not meet, and why, for whoever would merge it. */
export interface UnmetRule {
  rule: MergeRule['rule'];
  message: string;
}

/** What merge rules look at. */
export interface MergeFacts {
  changeRequest: ChangeRequestRow;
  /** The primary content has moved on since it was begun or updated. */
  outdated: boolean;
  /** The last review of each reviewer. */
  verdicts: readonly Verdict[];
  /** Who would merge; undefined is nobody whom a rule could name. */
  actorId: string | undefined;
  /** How people are called, by id. */
  names: ReadonlyMap<string, string>;
}

/**
 * The rules that are not met, in their order; none for whom a bypass rule names. A review of an earlier
 * state counts for no rule that wants one, but a request for changes stands until its reviewer takes it back.
 */
export function unmetRules(rules: readonly MergeRule[], facts: MergeFacts): UnmetRule[] {
  const { actorId } = facts;
  const mayBypass = (rule: MergeRule) =>
    rule.rule === 'allow_bypass' && actorId !== undefined && rule.users.includes(actorId);
  if (rules.some(mayBypass)) return [];
  return rules.flatMap((rule) => {
    const message = faultBy(rule, facts);
    return message === undefined ? [] : [{ rule: rule.rule, message }];
  });
}

function faultBy(rule: MergeRule, facts: MergeFacts): string | undefined {
  if (rule.rule === 'custom') return customFault(rule, facts);
  if (rule.rule === 'require_specific_reviewers') {
    const missing = rule.users.filter((userId) => !approvals(facts).includes(userId));
    return missing.length === 0 ? undefined : `It still has to be approved by ${listed(missing, facts)}.`;
  }
  if (rule.rule === 'require_one_of_specific_reviewers') {
    const isApproved = rule.users.length === 0 || rule.users.some((userId) => approvals(facts).includes(userId));
    return isApproved ? undefined : `It still has to be approved by one of ${listed(rule.users, facts)}.`;
  }
  return rule.rule === 'allow_bypass' ? undefined : CONDITIONS[rule.rule](facts);
}

type PlainKind = Exclude<MergeRule, { users: string[] } | { expression: string }>['rule'];

/** What is wrong, by the rule that says so. */
const CONDITIONS: Record<PlainKind, (facts: MergeFacts) => string | undefined> = {
  require_at_least_one_review: (facts) =>
    currentReviews(facts).length > 0 ? undefined : 'Nobody has reviewed it as it is now.',
  require_at_least_one_approved_review: (facts) =>
    approvals(facts).length > 0 ? undefined : 'Nobody has approved it as it is now.',
  require_all_reviews_approved: (facts) => {
    const against = facts.verdicts.filter(({ status }) => status === 'changes-requested');
    const reviewers = against.map(({ reviewerId }) => reviewerId);
    return reviewers.length === 0 ? undefined : `Changes are asked for by ${listed(reviewers, facts)}.`;
  },
  // Reviews are people's as yet.
  require_agent_review: () => 'No agent has reviewed it.',
  require_up_to_date_change_request: ({ outdated }) =>
    outdated ? 'The primary content has changed since; update it first.' : undefined,
  require_change_request_subject: ({ changeRequest: { subject } }) =>
    subject.trim() === '' ? 'It has no subject.' : undefined,
  require_change_request_description: ({ changeRequest }) =>
    descriptionOf(changeRequest) === '' ? 'It has no description.' : undefined,
  require_author_to_merge: ({ changeRequest, actorId }) =>
    changeRequest.createdBy === actorId ? undefined : 'Only its author may merge it.',
};

/** What somebody else than the author thinks of it as it is. */
const currentReviews = ({ changeRequest, verdicts }: MergeFacts) =>
  verdicts.filter(
    ({ reviewerId, revisionId }) => revisionId === changeRequest.revisionId && reviewerId !== changeRequest.createdBy,
  );

const approvals = (facts: MergeFacts): string[] =>
  currentReviews(facts).flatMap(({ status, reviewerId }) => (status === 'approved' ? [reviewerId] : []));

const listed = (userIds: readonly string[], { names }: MergeFacts) =>
  userIds.map((userId) => names.get(userId) ?? userId).join(', ');

function customFault({ expression, message }: MergeRule & { rule: 'custom' }, facts: MergeFacts): string | undefined {
  if (expression.trim() === '') return undefined;
  const outcome = evaluateSource(expression, scopeOf(facts));
  if ('value' in outcome && outcome.value) return undefined;
  if (message) return message;
  const reason = 'unknown' in outcome ? ` ${outcome.unknown}` : '';
  return `The condition does not hold: ${expression}.${reason}`;
}

/**
 * What a custom rule may use: `changeRequest.subject`, `.description` (Markdown), `.outdated` and `.createdBy.id`;
 * `reviews`, each with `status`, `outdated` and `reviewer.id`; `approvals`, the ids of those who approved it as it is;
 * `actor.id`.
 */
function scopeOf(facts: MergeFacts): Scope {
  const { changeRequest, verdicts, outdated, actorId } = facts;
  const reviews = verdicts.map(({ status, reviewerId, revisionId }) => ({
    status,
    outdated: revisionId !== changeRequest.revisionId,
    reviewer: { id: reviewerId },
  }));
  const { subject, number, createdBy } = changeRequest;
  const description = descriptionOf(changeRequest);
  return new Map<string, Scope extends ReadonlyMap<string, infer Member> ? Member : never>([
    ['changeRequest', { number, subject, description, outdated, createdBy: { id: createdBy } }],
    ['reviews', reviews],
    ['approvals', approvals(facts)],
    ['actor', { id: actorId }],
  ]);
}

/** As Markdown; empty where it says nothing. */
function descriptionOf({ description }: ChangeRequestRow): string {
  const document = description as JSONDocument | null; // checked when it was written
  return document === null || isEmptyDocument(document) ? '' : printMarkdown(document).trim();
}
