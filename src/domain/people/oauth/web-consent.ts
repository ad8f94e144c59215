import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context/context.ts';
import { formOf, rejectForeignForm, type WebResponse, type WebRoute } from '../../../platform/http/web-route.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { endedPage, goOnPage } from './consent-page.ts';
import { consentRequest, submitDecision } from './consent-request.ts';
import { type Choice, grantAccess } from './grant-access.ts';
import { copyOf } from './response.ts';
import { CONSENT } from './settings.ts';
import {
  choiceIn,
  consentResponse,
  type Decidable,
  errorPage,
  grantorOrResponse,
  responseWith,
} from './web-responses.ts';

/** The page that asks the user whom an application has sent here. */
export const consentRoutes: WebRoute[] = [
  { method: 'GET', path: `${CONSENT}/:uid`, handle: showConsent },
  { method: 'POST', path: `${CONSENT}/:uid`, handle: consent },
];

const uidOf = ({ params }: FastifyRequest) => (params as { uid: string }).uid; // of the route

/** The request that the page is about, with the caller who decides. */
async function decidableOf(ctx: Context, request: FastifyRequest): Promise<Decidable | WebResponse> {
  const { services } = ctx;
  const uid = uidOf(request);
  const pendingRequest = await consentRequest(services, copyOf(request, '', services.config.publicUrl), uid);
  if (pendingRequest === 'ended') return responseWith(endedPage());
  if ('error' in pendingRequest) return errorPage(pendingRequest);
  const path = `${CONSENT}/${uid}`;
  const grantor = grantorOrResponse(ctx, path);
  return 'status' in grantor ? grantor : { request: pendingRequest, grantor, path };
}

async function showConsent(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const decidable = await decidableOf(ctx, request);
  return 'status' in decidable ? decidable : consentResponse(ctx, decidable);
}

async function consent(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { services } = ctx;
  rejectForeignForm(request, services.config);
  const form = formOf(request);
  const decidable = await decidableOf(ctx, request);
  if ('status' in decidable) return decidable;
  const choice = await choiceIn(ctx, form, decidable);
  if (typeof choice === 'object' && 'status' in choice) return choice;
  const decision = choice === 'denied' ? choice : await granted(ctx, decidable, choice);
  const path = await submitDecision(services, copyOf(request, '', services.config.publicUrl), decision);
  return responseWith(path === undefined ? endedPage() : goOnPage(path));
}

async function granted(ctx: Context, { grantor, request }: Decidable, choice: Choice) {
  const grantId = await transact(ctx, (inside) => grantAccess(inside, grantor, request, choice));
  return { userId: grantor.userId, grantId };
}
