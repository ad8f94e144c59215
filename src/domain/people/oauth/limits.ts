import { outsideOfRequests } from '../../../platform/context/outside-of-requests.ts';
import type { Services } from '../../../platform/context/services.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { networkOf } from '../../../platform/rate-limit/address-bucket.ts';
import { RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts';

/** Requests in a minute that can be guesses or need no token, and what a client is told about those above. */
const LIMITS = {
  registration: [20, 'applications were registered from this address'],
  registrationNetwork: [100, 'applications were registered from this network'],
  allRegistrations: [300, 'applications were registered'],
  authorization: [120, 'requests for access came from this address'],
  device: [20, 'devices asked for access from this address'],
  deviceNetwork: [100, 'devices asked for access from this network'],
  /** Codes are open for ten minutes, so that at most eleven times as many can be guessed. */
  allDevices: [300, 'devices asked for access'],
  userCode: [20, 'wrong codes of devices were entered with this account'],
  userCodeAddress: [60, 'wrong codes of devices were entered from this address'],
  token: [240, 'requests for tokens came from this address'],
  documentNetwork: [10, 'documents of clients at this host were requested from this network'],
  document: [30, 'documents of clients were requested from this host'],
} as const;

const limiters = new WeakMap<Services, Map<string, RateLimiter>>();

/** Undoes the count of a request that turned out not to be limited. */
type GiveBack = () => void;

/**
 * Counts a request across all processes. Throws RATE_LIMITED above the limit. `key` is an address, a host or a user.
 */
export async function countAgainstLimit(services: Services, kind: keyof typeof LIMITS, key: string): Promise<GiveBack> {
  const byKind = limiters.get(services) ?? new Map<string, RateLimiter>();
  limiters.set(services, byKind);
  const [limit, what] = LIMITS[kind];
  const limiter = byKind.get(kind) ?? new RateLimiter(services, limit);
  byKind.set(kind, limiter);
  const name = `oauth ${kind}, ${key}`;
  const allowance = await limiter.count(name);
  const { isOver, resetAt } = allowance;
  if (!isOver) return () => limiter.giveBack(name, allowance);
  const seconds = Math.max(1, Math.ceil((resetAt - services.clock().getTime()) / 1_000));
  const message = `More than ${limit} ${what} within a minute. Try again in ${seconds} seconds.`;
  throw new ApiError('RATE_LIMITED', message, [], { retryAfterSeconds: seconds });
}

/**
 * Counts a valid request against the limits of its network and of all addresses. One network has at most a third of all
 * requests, so that its addresses do not use up what others need.
 */
export async function countAgainstGlobalLimits(
  services: Services,
  kind: 'registration' | 'device',
  address: string,
): Promise<void> {
  await countAgainstLimit(services, `${kind}Network`, networkOf(address));
  // Without an account: whether one address has database connections left must not decide for all callers.
  await outsideOfRequests(() => countAgainstLimit(services, kind === 'device' ? 'allDevices' : 'allRegistrations', ''));
}
