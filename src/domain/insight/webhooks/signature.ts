import { createHmac } from 'node:crypto';

/**
 * The value of the signature header: `t=<seconds>,v1=<hex>`, an HMAC-SHA256 over `<seconds>.<body>`.
 * Receivers compare it, and refuse what is too old.
 */
export function signatureHeader(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
