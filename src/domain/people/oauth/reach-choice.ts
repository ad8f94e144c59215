import type { Scope } from '../../../platform/access/scopes.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listOrganizations } from '../organizations/index.ts';
import { choosableSpaces, MAX_SPACES, tickedIn } from './space-choice.ts';

/** Number of organizations that the page of consent lists. */
const MAX_LISTED = 100;

/** The organizations that the user can limit an application to. */
export interface ReachChoice {
  organizations: readonly { id: string; title: string }[];
  /** Whether these are all organizations in which the user acts. */
  isComplete: boolean;
}

/** What an application is limited to. Null for no such limit. */
export interface ChosenReach {
  organizationIds: string[] | null;
  /** Of exactly these organizations. */
  spaceIds: string[] | null;
}

export async function reachChoice(ctx: Context): Promise<ReachChoice> {
  const listed = await listOrganizations(ctx, {});
  const { rows, hasNext } = await listed.page({ direction: 'forward', size: MAX_LISTED });
  return { organizations: rows.map(({ id, title }) => ({ id, title })), isComplete: !hasNext };
}

/** Name of the field of an organization in the form of consent. */
export const reachField = (organizationId: string) => `reach_${organizationId}`;

/** Scopes that an application limited to spaces cannot have, because they concern sites and organizations. */
const NOT_IN_SPACES: ReadonlySet<Scope> = new Set(['publish', 'admin']);

interface FormInput {
  form: Readonly<Record<string, string>>;
  /** The scopes that the form ticks. */
  scopes: readonly Scope[];
  /** Whether the person has signed in with the SSO of an organization, which the application is for in any case. */
  isSso: boolean;
}

/**
 * What a form of consent limits the application to. What the form leaves open is asked again instead of guessed, and so
 * is what contradicts itself.
 */
export async function chosenReach(
  ctx: Context,
  { form, scopes, isSso }: FormInput,
  { organizations }: ReachChoice,
): Promise<ChosenReach | { alert: string }> {
  const ids = isSso ? [] : organizations.map(({ id }) => id).filter((id) => form[reachField(id)] === 'yes');
  const spaceIds = tickedIn(form);
  if (form.reach === 'spaces') {
    if (ids.length > 0)
      return {
        alert: 'Only spaces are chosen, but organizations are ticked. Untick them, or choose the organizations.',
      };
    return chosenSpaces(ctx, spaceIds, scopes);
  }
  if (spaceIds.length > 0) return { alert: 'Some spaces are ticked. Choose "Only these spaces", or untick them.' };
  if (form.reach === 'all' && ids.length === 0) return { organizationIds: null, spaceIds: null };
  if (isSso) return { alert: 'Choose what the application reaches.' };
  if (form.reach === 'some' && ids.length > 0) return { organizationIds: ids, spaceIds: null };
  if (form.reach === 'some') return { alert: 'Tick at least one organization, or choose all of them.' };
  if (form.reach === 'all')
    return { alert: 'All organizations are chosen, but some are ticked. Choose "Only these", or untick them.' };
  return { alert: 'Choose the organizations that the application reaches.' };
}

async function chosenSpaces(
  ctx: Context,
  ids: readonly string[],
  scopes: readonly Scope[],
): Promise<ChosenReach | { alert: string }> {
  if (ids.length === 0)
    return { alert: 'Tick at least one space. Search for a part of its title if it is not listed.' };
  if (ids.length > MAX_SPACES) return { alert: `Tick ${MAX_SPACES} spaces at most, or choose organizations.` };
  if (scopes.some((scope) => NOT_IN_SPACES.has(scope)))
    return {
      alert:
        'For spaces only, an application cannot work on sites, and cannot manage members and settings. Untick these, or choose organizations.',
    };
  const spaces = await choosableSpaces(ctx, ids);
  if (spaces.length < ids.length)
    return { alert: 'You no longer see some of the spaces that were ticked. Look at the others again.' };
  return {
    organizationIds: [...new Set(spaces.map(({ organizationId }) => organizationId))].sort(),
    spaceIds: spaces.map(({ id }) => id).sort(),
  };
}
