import type { Services } from '../context/services.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a message may come from where its header `Origin` says, which browsers send: a page of this service, or of the
 * custom hostname that was asked. Other websites must not use a visitor's browser to read sites that only the visitor
 * reaches (Model Context Protocol, Transports, "Security Warning"). Other programs send no such header.
 */
export function isOwnOrigin(
  { publicUrl, sitesUrl }: Pick<Services['config'], 'publicUrl' | 'sitesUrl'>,
  origin: string | undefined,
  customHostname?: string,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  const ownHostnames = [publicUrl, sitesUrl].map((url) => new URL(url).hostname);
  if (LOOPBACK.has(hostname)) return ownHostnames.some((name) => LOOPBACK.has(name));
  return ownHostnames.includes(hostname) || hostname === customHostname;
}
