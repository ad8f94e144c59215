import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { world } from '../world.ts';
import { publishedSite, spaceWith } from './reader-world.ts';

/*
 * The public conformance suite of the Model Context Protocol against the endpoint of a site: `npm run conformance`. It is
 * downloaded, so that it does not run with the other tests.
 */

const SUITE = '@modelcontextprotocol/conformance@0.1.16';

/** The scenarios for servers without tools, resources and prompts of the suite's own, which the others call by name. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

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
    const { code, output } = await run(['server', '--url', url, '--scenario', scenario]);
    expect(`${code}\n${output}`).toMatch(/^0\n/);
  });
});

/** Runs the suite with the Node of this process. */
const run = (args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    execFile('npx', ['--yes', SUITE, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
