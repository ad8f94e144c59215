import type { FastifyRequest } from 'fastify';
import type { Grantor } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import {
  formOf,
  rejectForeignForm,
  seeOther,
  type WebResponse,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import { type CodeEntry, codePage, devicePage } from './consent-page.ts';
import { deviceRequest } from './device-request.ts';
import { countAgainstLimit } from './limits.ts';
import { DEVICE, DEVICE_CODE } from './settings.ts';
import { choiceIn, consentResponse, errorPage, grantorOrResponse, responseWith } from './web-responses.ts';

const MAX_CODE = 20;

/** The pages on which a person enters the code of a device, and decides about it (RFC 8628, 3.3). */
export const deviceRoutes: WebRoute[] = [
  { method: 'GET', path: DEVICE, ignoresCaller: true, handle: lead },
  { method: 'GET', path: DEVICE_CODE, handle: askCode },
  { method: 'POST', path: DEVICE_CODE, handle: decide },
];

const pathWith = (code: string | undefined) =>
  code === undefined ? DEVICE_CODE : `${DEVICE_CODE}?user_code=${encodeURIComponent(code)}`;

function codeIn({ query }: FastifyRequest): string | undefined {
  const { user_code: code } = query as Record<string, unknown>; // Fastify's query parser gives an object
  return typeof code === 'string' ? code.slice(0, MAX_CODE).toWellFormed() : undefined;
}

/** The short address leads to the page of the account, so that signing in leads back. */
async function lead(_ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return seeOther(pathWith(codeIn(request)));
}

/** A code in the address is filled in, and looked up only when the person sends it. */
async function askCode(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const code = codeIn(request);
  const grantor = grantorOrResponse(ctx, pathWith(code));
  return 'status' in grantor ? grantor : codeResponse({ code });
}

const codeResponse = (entry: CodeEntry) => responseWith(codePage(DEVICE_CODE, entry));

/** Shows what a device with the code asks for, and takes the decision about it. */
async function decide(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { services } = ctx;
  rejectForeignForm(request, services.config);
  const form = formOf(request);
  const code = (form.user_code ?? '').slice(0, MAX_CODE).toWellFormed();
  const grantor = grantorOrResponse(ctx, pathWith(code));
  if ('status' in grantor) return grantor;
  const guess = await takeGuess(ctx, grantor);
  if ('alert' in guess) return codeResponse(guess);
  const pendingRequest = await deviceRequest(services, code);
  if (!pendingRequest) return unknownCode();
  // A right code is not a guess: the form sends it again with every search of spaces.
  guess.giveBack();
  if ('error' in pendingRequest) return errorPage(pendingRequest);
  const decidable = { request: pendingRequest.request, grantor, path: DEVICE_CODE };
  if (form.decision === undefined) return consentResponse(ctx, decidable);
  const choice = await choiceIn(ctx, form, decidable);
  if (typeof choice === 'object' && 'status' in choice) return choice;
  const isDecided = await pendingRequest.decide(ctx, grantor, choice);
  return isDecided ? responseWith(devicePage(choice !== 'denied')) : unknownCode();
}

const unknownCode = () =>
  codeResponse({
    alert: 'No device waits with this code. Compare it with the device. It may have expired, or have been used.',
    status: 400,
  });

/**
 * Counts a code before it is looked up, since short codes could be guessed. `giveBack` undoes this for a right code.
 */
async function takeGuess(
  { services, address }: Context,
  { userId }: Grantor,
): Promise<{ giveBack: () => void } | Required<Pick<CodeEntry, 'alert' | 'status'>>> {
  try {
    const giveBackToUser = await countAgainstLimit(services, 'userCode', userId);
    const giveBackToAddress = await countAgainstLimit(services, 'userCodeAddress', address ?? '');
    return {
      giveBack() {
        giveBackToUser();
        giveBackToAddress();
      },
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { alert: error.message, status: error.status };
  }
}
