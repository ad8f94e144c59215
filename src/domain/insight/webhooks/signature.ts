import { createHmac } from 'node:crypto';

/**
 * Value of the signature header: `t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<seconds>.<body>`. The time lets receivers
 * reject replayed requests.
 */
export function signatureHeader(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
