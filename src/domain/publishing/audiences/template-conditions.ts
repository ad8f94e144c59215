import type { ClaimSchema, ClaimsSchema } from './claims-schema.ts';

/** A condition that a schema of claims suggests. */
export interface TemplateCondition {
  description: string;
  condition: string;
}

/** Maximum number of conditions of one schema. */
const MAX_CONDITIONS = 1_000;

/**
 * The conditions that follow from a schema: one for each boolean claim, and one for each value of a claim that is an
 * enumeration; also of nested claims.
 */
export function templateConditionsOf({ properties }: ClaimsSchema): TemplateCondition[] {
  return Object.entries(properties as Record<string, ClaimSchema>)
    .flatMap(([name, claim]) => conditionsOf(claim, `visitor.claims${memberOf(name)}`))
    .slice(0, MAX_CONDITIONS);
}

function conditionsOf(claim: ClaimSchema, path: string): TemplateCondition[] {
  const { description } = claim;
  if (claim.type === 'boolean') return [{ description, condition: `${path} == true` }];
  if (claim.type === 'string') {
    return (claim.enum ?? []).map((value) => ({ description, condition: `${path} == ${quoted(value)}` }));
  }
  if (claim.type !== 'object') return [];
  return Object.entries(claim.properties).flatMap(([name, inner]) => conditionsOf(inner, `${path}${memberOf(name)}`));
}

const memberOf = (name: string) => (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`);

const quoted = (text: string) => JSON.stringify(text);
