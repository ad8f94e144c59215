import { setTimeout } from 'node:timers/promises';

const TRIES = 4;

/**
 * Downloads a PDF from a signed URL as clients do: asks again, up to three times, while the PDF is being created (503
 * with `Retry-After`).
 */
export async function fetchPdf(address: string, init: RequestInit = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address, init);
    if (response.status !== 503 || attempt === TRIES) return response;
    await response.body?.cancel();
    await setTimeout(1_000 * Number(response.headers.get('retry-after')));
  }
}
