import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runScenario, SCENARIOS } from '../conformance.ts';
import { world } from '../world.ts';

/*
 * The conformance suite against the endpoint of users: `npm run conformance`. The suite sends no token, so a proxy adds
 * that of a user, and changes nothing else.
 */

describe.skipIf(process.env.MCP_CONFORMANCE === undefined)('the conformance suite', async () => {
  const { admin, url } = await world();
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${admin.token}` };
    const passed = send(new URL('/mcp', url), { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });

  beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => proxy.close(resolve)));

  test.for(SCENARIOS)('%s', { timeout: 120_000 }, async (scenario) => {
    const { port } = proxy.address() as AddressInfo;
    const { code, output } = await runScenario(`http://127.0.0.1:${port}/mcp`, scenario);
    expect(`${code}\n${output}`).toMatch(/^0\n/);
  });
});
