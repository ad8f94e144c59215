import type { Services } from '../../../platform/context/services.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { listChanges } from '../../../platform/events/settings-changes.ts';
import { OutboundError, type OutboundErrorCode } from '../../../platform/outbound/outbound-error.ts';
import { UnreadableSecret } from '../../../platform/secret-key/errors.ts';
import type { WebhookRow } from './access.ts';
import { signatureHeader, webhookSecret } from './webhook-secret.ts';

const TIMEOUT_MS = 10_000;

/** Result of an attempt. */
export interface DeliveryAttempt {
  isDelivered: boolean;
  /** The error may be temporary: network errors, timeouts, 429 and 5xx. */
  mayRetry: boolean;
  responseStatus: number | null;
  error: string | null;
  milliseconds: number;
}

/** Makes one attempt to send an event. The response body is not read, and redirects are not followed. */
export async function sendEvent(
  services: Services,
  webhook: WebhookRow,
  event: EventRow,
  deliveryId: string,
): Promise<DeliveryAttempt> {
  const body = JSON.stringify(payloadOf(event));
  const { fetch, clock } = services;
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  try {
    const signature = signatureHeader(webhookSecret.read(services, webhook, webhook.secret), body, clock());
    const headers = {
      'content-type': 'application/json',
      'x-stemma-event': event.kind,
      'x-stemma-delivery': deliveryId,
      'x-stemma-signature': signature,
      // The header that receivers written for GitBook's webhooks verify.
      'x-gitbook-signature': signature,
    };
    const { status, body: responseBody } = await fetch({
      url: webhook.url,
      method: 'POST',
      headers,
      body,
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeoutMs: TIMEOUT_MS,
      followRedirects: false,
    });
    responseBody.destroy();
    return { ...judge(status), responseStatus: status, milliseconds: elapsed() };
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof UnreadableSecret)) throw error;
    const mayRetry = error instanceof OutboundError && TRANSIENT.has(error.code);
    return { isDelivered: false, mayRetry, responseStatus: null, error: error.message, milliseconds: elapsed() };
  }
}

/**
 * The payload: the properties of GitBook's events, the id, time and actor of the event, and the details of audited
 * ones.
 */
const payloadOf = ({ id, kind, organizationId, actorId, ids, client, changes, createdAt }: EventRow) => ({
  ...ids,
  eventId: id,
  type: kind,
  organizationId,
  actorId,
  ...(client && { client, changes: listChanges(changes) }),
  createdAt,
});

const TRANSIENT = new Set<OutboundErrorCode>(['FETCH_ERROR', 'FETCH_TIMEOUT']);

function judge(status: number): Pick<DeliveryAttempt, 'isDelivered' | 'mayRetry' | 'error'> {
  if (status >= 200 && status < 300) return { isDelivered: true, mayRetry: false, error: null };
  const error =
    status >= 300 && status < 400
      ? 'The receiver responded with a redirect. Webhooks do not follow redirects.'
      : `The receiver responded with status ${status}.`;
  return { isDelivered: false, mayRetry: status === 429 || status >= 500, error };
}
