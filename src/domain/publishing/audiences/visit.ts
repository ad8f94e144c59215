import { conditionHolds } from '../../../lib/expression/condition.ts';
import { visitorScope } from '../../../lib/expression/expression.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Visit } from '../../../platform/access/actor.ts';
import type { Audience, VisibleParts } from './audience.ts';
import { NO_CLAIMS, type VisitorClaims } from './claims.ts';

/** Maximum length of the key of a visit that is cached. Claims are most of it. */
const MAX_KEY = 16_384;

/**
 * What a site shows to a visitor with these claims: everything whose condition holds. A hidden section hides its
 * spaces. Sites whose content is not adaptive see no claims. Conditions are evaluated once for equal claims.
 */
export async function visitOf(audience: Audience, visitorClaims: VisitorClaims, shareKey?: string): Promise<Visit> {
  const { organizationId, siteId, isAdaptive, version } = audience;
  const claims = isAdaptive ? visitorClaims : NO_CLAIMS;
  const key = `${siteId} ${version} ${JSON.stringify(claims)}`;
  const content = audience.visits.get(key) ?? (await shownTo(audience, claims));
  if (key.length <= MAX_KEY) audience.visits.set(key, content);
  return { organizationId, siteId, ...content, claims, ...(shareKey !== undefined && { shareKey }) };
}

async function shownTo({ links, items }: Audience, claims: VisitorClaims): Promise<VisibleParts> {
  const scope = visitorScope(claims);
  const pause = makeYielder();
  const outcomes = new Map<string, boolean>();
  const holds = async (condition: string | null): Promise<boolean> => {
    if (condition === null) return true;
    const cached = outcomes.get(condition);
    if (cached !== undefined) return cached;
    await pause();
    const outcome = conditionHolds(condition, scope);
    outcomes.set(condition, outcome);
    return outcome;
  };
  const [hiddenIds, spaceIds] = [new Set<string>(), new Set<string>()];
  for (const { id, condition } of items) if (!(await holds(condition))) hiddenIds.add(id);
  for (const { id, spaceId, sectionId, condition } of links) {
    const isHidden = (sectionId !== null && hiddenIds.has(sectionId)) || !(await holds(condition));
    if (isHidden) hiddenIds.add(id);
    else spaceIds.add(spaceId);
  }
  return { hiddenIds, spaceIds };
}
