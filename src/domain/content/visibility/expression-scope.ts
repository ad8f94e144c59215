import { type ExpressionScope, type Value, visitorScope } from '../../../lib/expression/expression.ts';
import { visitTo } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { variablesOf } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

export type Variables = Readonly<Record<string, string | number | boolean>>;

/**
 * Variables of expressions in a body: `space.vars` of its revision, `page.vars` if it belongs to a page, and
 * `visitor.claims` if a visitor of a site requests all expressions. For other callers the claims are unknown, and
 * expressions that use them cannot be evaluated.
 */
export async function expressionScope(
  ctx: Context,
  evaluated: 'true' | 'deterministic-only',
  revision: RevisionRow,
  pageVariables?: Variables,
): Promise<ExpressionScope> {
  const claims = evaluated === 'true' ? visitTo(ctx.actor, revision.spaceId)?.claims : undefined;
  const scope = new Map<string, ExpressionScope | Value>([['space', group('vars', await variablesOf(ctx, revision))]]);
  if (pageVariables) scope.set('page', group('vars', pageVariables));
  return claims ? new Map([...scope, ...visitorScope(claims)]) : scope;
}

const group = (name: string, variables: Variables): ExpressionScope =>
  new Map([[name, new Map(Object.entries(variables))]]);
