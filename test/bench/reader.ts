import { setTimeout as sleep } from 'node:timers/promises';
import { TOKENS } from './fill/people.ts';
import { measure } from './measure.ts';
import { startService } from './processes.ts';
import { importBundle } from './search/sets.ts';
import { dataDirIn, inService, type Measured, type Place, withDatabase } from './with-service.ts';

/*
 * Publishes documentation from a git bundle and measures the pages of the site at 32 connections: one page, all pages in
 * turn, one page that the browser has already, and a page whose site changes four times a second, so that it
 * is printed anew.
 *
 *   node test/bench/reader.ts BUNDLE [SECONDS]
 */

const [, , BUNDLE, SECONDS = '10'] = process.argv;
if (BUNDLE === undefined) {
  console.error('Usage: node test/bench/reader.ts BUNDLE [SECONDS]');
  process.exit(1);
}
/** Interval of changes of the site. */
const CHANGE_MS = 250;
const LOAD = { connections: 32, seconds: Number(SECONDS) };

await withDatabase(async (place) => {
  const site = await inService(place, (service) => publish(service, BUNDLE, place.directory));
  await measureSite(place, site);
});

interface SiteAddress {
  path: string;
  /** The address in REST at which the site can be changed. */
  change: string;
}

/** Publishes a site with the content of a bundle. */
async function publish(
  { app, url, organizationId }: Measured,
  bundle: string,
  directory: string,
): Promise<SiteAddress> {
  const service = { url, token: TOKENS.admin, organizationId, db: app.services.db };
  const spaceId = await importBundle(service, bundle, directory);
  const sites = `${url}/v1/orgs/${organizationId}/sites`;
  const { id } = await send('POST', sites, { title: 'Documentation', spaces: [spaceId] });
  await send('POST', `${sites}/${id}/publish`);
  const { urls } = await send('GET', `${sites}/${id}`);
  return { path: new URL(urls.published).pathname, change: `/v1/orgs/${organizationId}/sites/${id}` };
}

async function measureSite({ databaseUrl, directory }: Place, { path, change }: SiteAddress): Promise<void> {
  const service = await startService({ databaseUrl, dataDir: dataDirIn(directory) });
  try {
    const listed = await (await fetch(`${service.url}${path}llms.txt`)).text();
    const pages = [...listed.matchAll(/\]\((http[^)]*)\.md\)/g)].map(([, url = '']) => new URL(url).pathname);
    const rich = pages[Math.floor(pages.length / 2)] ?? path;
    const tag =
      (await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'br' } })).headers.get('etag') ?? '';
    const headers = { 'accept-encoding': 'br' };
    const report = async (name: string, requests: { path: string; headers: Record<string, string> }[]) => {
      const { requestsPerSecond, p50, p99, serverCpu } = await measure(service, requests, LOAD, undefined);
      const figures = [
        `${Math.round(requestsPerSecond)}/s`,
        `p50 ${p50} ms`,
        `p99 ${p99} ms`,
        `CPU ${serverCpu.toFixed(2)} ms`,
      ];
      console.log(`${name.padEnd(34)} ${figures.join('  ')}`);
    };
    console.log(`${pages.length} pages, ${LOAD.connections} connections`);
    const followed = pages.slice(1).map((page) => ({ path: page, headers }));
    await report('one page', [{ path: rich, headers }]);
    await report('all pages in turn', followed);
    await report('one page, revalidated', [{ path, headers: { ...headers, 'if-none-match': tag } }]);
    let isRunning = true;
    const changing = (async () => {
      for (let count = 0; isRunning; count++, await sleep(CHANGE_MS))
        await send('PATCH', `${service.url}${change}`, { title: `Docs ${count}` });
    })();
    await report('one page, the site changing', [{ path: rich, headers }]);
    isRunning = false;
    await changing;
  } finally {
    await service.stop();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as it came.
async function send(method: string, url: string, body?: object): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${TOKENS.admin}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}
