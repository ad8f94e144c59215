import { type Grantor, grantorOf, userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { seeOther, type WebResponse } from '../../../platform/http/web-route.ts';
import { addressesOf, loadUser } from '../users/index.ts';
import { type ConsentPage, type ConsentView, consentPage, notProvenPage } from './consent-page.ts';
import type { ConsentRequest } from './consent-request.ts';
import { errorHtml, type OAuthError } from './error-page.ts';
import type { Choice } from './grant-access.ts';
import { chosenReach, type ReachChoice, reachChoice } from './reach-choice.ts';
import { GRANT_SECONDS } from './settings.ts';
import { spaceChoice } from './space-choice.ts';

/** A request for access, and the user who can decide about it. */
export interface Decidable {
  request: ConsentRequest;
  grantor: Grantor;
  /** Path that the form is sent to. */
  path: string;
}

export function responseWith({ title, html, status, goesTo }: ConsentPage): WebResponse {
  const page = accountPage(title, html, status);
  return goesTo === undefined ? page : { ...page, headers: { ...page.headers, refresh: `0;url=${goesTo}` } };
}

export const errorPage = (error: OAuthError, status = 400) => accountPage('Not connected', errorHtml(error), status);

/**
 * The caller who can decide. For others the response that sends them to the sign-in, which leads back to `path`, or
 * that says why they cannot.
 */
export function grantorOrResponse({ actor }: Context, path: string): Grantor | WebResponse {
  if (userIdOf(actor) === undefined) return seeOther(`/account?next=${encodeURIComponent(path)}`);
  return grantorOf(actor) ?? responseWith(notProvenPage());
}

/** The page that asks the user. */
export async function consentResponse(
  ctx: Context,
  { request, grantor, path }: Decidable,
  { reach: loadedReach, rejected }: { reach?: ReachChoice; rejected?: ConsentView['rejected'] } = {},
): Promise<WebResponse> {
  const { userId } = grantor;
  const reach = loadedReach ?? (await reachChoice(ctx));
  const organizationIds = reach.organizations.map(({ id }) => id);
  const [user, addresses, spaces] = await Promise.all([
    loadUser(ctx, userId),
    addressesOf(ctx, userId),
    spaceChoice(ctx, organizationIds, rejected?.form ?? {}),
  ]);
  const account = { userId, name: user?.displayName ?? '', email: addresses?.email ?? null };
  const until = new Date(ctx.services.clock().getTime() + GRANT_SECONDS * 1_000).toISOString().slice(0, 10);
  const view = { path, until, account, reach, spaces, sso: grantor.sso?.providerId };
  return responseWith(consentPage(request, { ...view, rejected }));
}

/**
 * The decision that the form of the page says. Otherwise the page that asks again, since spaces are searched, a choice
 * is missing, or another person has signed in since it was shown, or the same one in another way.
 */
export async function choiceIn(
  ctx: Context,
  form: Readonly<Record<string, string>>,
  decidable: Decidable,
): Promise<Choice | 'denied' | WebResponse> {
  const { request, grantor } = decidable;
  const isSameSession = form.account === grantor.userId && (form.sso ?? '') === (grantor.sso?.providerId ?? '');
  if (!isSameSession) return consentResponse(ctx, decidable);
  if (form.decision === 'search') return consentResponse(ctx, decidable, { rejected: { form } });
  if (form.decision !== 'allow') return 'denied';
  const scopes = request.scopes.filter((scope) => scope === 'read' || form[`scope_${scope}`] === 'yes');
  const reach = await reachChoice(ctx);
  const chosen = await chosenReach(ctx, { form, scopes, isSso: grantor.sso !== undefined }, reach);
  if ('alert' in chosen) return consentResponse(ctx, decidable, { reach, rejected: { form, alert: chosen.alert } });
  return { ...chosen, scopes };
}
