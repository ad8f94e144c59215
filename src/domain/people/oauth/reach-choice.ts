import type { Context } from '../../../platform/context/context.ts';
import { listOrganizations } from '../organizations/index.ts';

/** Number of organizations that the page of consent lists. */
const MAX_LISTED = 100;

/** The organizations that the user can limit an application to. */
export interface ReachChoice {
  organizations: readonly { id: string; title: string }[];
  /** Whether these are all organizations in which the user acts. */
  isComplete: boolean;
}

export async function reachChoice(ctx: Context): Promise<ReachChoice> {
  const listed = await listOrganizations(ctx, {});
  const { rows, hasNext } = await listed.page({ direction: 'forward', size: MAX_LISTED });
  return { organizations: rows.map(({ id, title }) => ({ id, title })), isComplete: !hasNext };
}

/** Name of the field of an organization in the form of consent. */
export const reachField = (organizationId: string) => `reach_${organizationId}`;

/**
 * The organizations that a form of consent limits the application to, or null for all. What the form leaves open is asked
 * again instead of guessed.
 */
export function chosenReach(
  form: Readonly<Record<string, string>>,
  { organizations }: ReachChoice,
): { organizationIds: string[] | null } | { alert: string } {
  const ids = organizations.map(({ id }) => id).filter((id) => form[reachField(id)] === 'yes');
  if (form.reach === 'all' && ids.length === 0) return { organizationIds: null };
  if (form.reach === 'some' && ids.length > 0) return { organizationIds: ids };
  if (form.reach === 'some') return { alert: 'Tick at least one organization, or choose all of them.' };
  if (form.reach === 'all')
    return { alert: 'All organizations are chosen, but some are ticked. Choose "Only these", or untick them.' };
  return { alert: 'Choose the organizations that the application reaches.' };
}
