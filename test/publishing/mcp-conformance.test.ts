import { beforeAll, describe, expect, test } from 'vitest';
import { runScenario, SCENARIOS } from '../conformance.ts';
import { world } from '../world.ts';
import { publishedSite, spaceWith } from './reader-world.ts';

/* The conformance suite against the endpoint of a site: `npm run conformance`. */

describe.skipIf(process.env.MCP_CONFORMANCE === undefined)('the conformance suite', async () => {
  const { admin, organizationId } = await world();
  let url = '';

  beforeAll(async () => {
    const { spaceId } = await spaceWith(admin, organizationId, 'Guides', [
      { title: 'Welcome', document: { markdown: 'Hello.' } },
    ]);
    const site = await publishedSite(admin, organizationId, { title: 'Acme Docs', spaces: [spaceId] });
    url = site.at('~gitbook/mcp');
  });

  test.for(SCENARIOS)('%s', { timeout: 120_000 }, async (scenario) => {
    const { code, output } = await runScenario(url, scenario);
    expect(`${code}\n${output}`).toMatch(/^0\n/);
  });
});
