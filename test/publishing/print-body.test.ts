import { expect, test } from 'vitest';
import { printBodyHtml } from '../../src/domain/publishing/reader/print-body-html.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { parse } from '../lib/document/markdown-round-trip.ts';
import { world } from '../world.ts';

const { app, organizationId } = await world();
const words = { linkTo: 'Link to', done: 'done', open: 'open', info: 'I', success: 'S', warning: 'W', danger: 'D' };
const source = { targets: {}, words, siteUrl: '/sites/acme/docs', direction: 'ltr' as const, opensNewWindow: false };
const print = (code: string, options: { colorsMs?: number } = {}) =>
  printBodyHtml(
    jobContext(app.services, 'print'),
    organizationId,
    { document: parse(`\`\`\`js\n${code}\`\`\`\n`), source },
    options,
  );

test('code is colored in a thread', async () => {
  const printed = await print('let a = 1;\n');
  expect(printed.html).toContain('class="t-');
  expect(printed).not.toHaveProperty('lacksColors');
});

test('code that cannot be colored in time is printed without colors, and says so', async () => {
  const printed = await print('let a = 1;\n'.repeat(2_000), { colorsMs: 1 });
  expect(printed.html).toContain('let a = 1;');
  expect(printed.html).not.toContain('class="t-');
  expect(printed.lacksColors).toBe(true);
});
