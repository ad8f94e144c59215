import { type JWTPayload, SignJWT } from 'jose';
import type { App } from '../../src/app.ts';
import {
  admitVisitor,
  siteTokenFor,
  type VisitorAdmission,
  type VisitorCredentials,
} from '../../src/domain/publishing/audiences/index.ts';
import { Client } from '../client.ts';

/** A token as the owner of a site signs it. */
export const visitorToken = (privateKey: string, claims: JWTPayload, expires = '1h') =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(privateKey));

/** Reads the API as a renderer does for a visitor. The site must admit the visitor. */
export async function visitorOf(
  { services }: App,
  url: string,
  siteId: string,
  credentials: VisitorCredentials = {},
): Promise<Client> {
  const admission = await admitVisitor({ services }, siteId, credentials);
  if ('reason' in admission) throw new Error(`The visitor is not admitted: ${admission.reason}.`);
  return new Client(url, await siteTokenFor({ services }, admission, ''));
}

/** Why a site does not admit a visitor; undefined if it does. */
export async function refusalTo({ services }: App, siteId: string, credentials: VisitorCredentials = {}) {
  const admission: VisitorAdmission | { reason: string } = await admitVisitor({ services }, siteId, credentials);
  return 'reason' in admission ? admission.reason : undefined;
}
