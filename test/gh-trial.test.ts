import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'vitest';
import { world } from './world.ts';
import { makeSpecServer, specifying } from './sources/openapi/arrange.ts';
const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { admin, editor, organizationId, reader } = here;
const { put, all } = specifying(here);
test('github', { timeout: 120_000 }, async () => {
  const text = readFileSync('/tmp/oct/package/generated/api.github.com.json', 'utf8');
  const server = await makeSpecServer({ '/gh.json': text });
  const before = process.memoryUsage().rss;
  const h = monitorEventLoopDelay({ resolution: 5 }); h.enable();
  let peak = 0; const t = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 50);
  let t0 = performance.now();
  const lap = (s: string) => { console.log(s, Math.round(performance.now() - t0), 'ms; loop max', Math.round(h.max / 1e6), 'peak', Math.round((peak - before) / 1e6)); h.reset(); t0 = performance.now(); };
  const { Session } = await import('node:inspector/promises'); const session = new Session(); session.connect(); await session.post('Profiler.enable'); 
  const done = await put('gh', { url: `${server.url}/gh.json` });
  lap('processed ' + done.lastProcessErrorCode); 
  await put('gh', { url: `${server.url}/gh.json` }); lap('unchanged');
  clearInterval(t);
  for (const grouping of ['by-tag', 'by-operation']) {
    const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
    const computed = { type: 'builtin:openapi', props: { models: true, grouping }, dependencies: { spec: { ref: { kind: 'openapi', spec: 'gh' } } } };
    await editor.mutate('updateSpaceContent', { spaceId: space.id, changes: [{ insertPage: { kind: 'COMPUTED', title: 'API', computed } }] }, 'pageIds');
    for (let i = 0; i < 3; i++) {
      t0 = performance.now(); const r = await reader.get(`/v1/spaces/${space.id}/content/pages`); const n = JSON.stringify(r.body).length; lap(grouping + ' tree ' + n + ' ' + r.headers.get('server-timing'));
      const flat = (ps: any[]): any[] => ps.flatMap((p) => [p, ...flat(p.pages ?? [])]);
      const ps = flat(r.body.pages); t0 = performance.now();
      const p = ps[Math.floor(ps.length / 2) + i]; const one = await reader.get(`/v1/spaces/${space.id}/content/page/${p.id}?format=markdown`); lap(`page ${ps.length} ${p.title} ${one.body.markdown.length} ` + one.headers.get('server-timing'));
    }
  }
  t0 = performance.now(); const raw = await fetch(`${here.url}${all}/gh/versions/latest/content`, { headers: { authorization: `Bearer ${reader.token}` } }); const b = await raw.arrayBuffer(); lap('content ' + b.byteLength);
});
