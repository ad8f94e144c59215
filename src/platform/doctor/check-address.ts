import { addressFault } from '../http/address-fault.ts';
import { type CheckResult, fail, pass } from './check-result.ts';

/** Whether the service can listen on its address, or already does. */
export async function checkAddress({ host, port }: { host: string; port: number }): Promise<CheckResult> {
  const fault = await addressFault({ host, port });
  if (fault === undefined) return pass('address', port === 0 ? `a free port of ${host}` : `${host}:${port} is free`);
  if (await isServing(host, port)) return pass('address', `${host}:${port}, where the service is running`);
  return fail('address', fault);
}

async function isServing(host: string, port: number): Promise<boolean> {
  try {
    const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return response.headers.has('x-request-id') && ((await response.json()) as { status?: unknown }).status === 'ok';
  } catch {
    return false;
  }
}
