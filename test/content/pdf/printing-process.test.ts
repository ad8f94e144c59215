import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { app, url, admin, reader, organizationId } = await world();

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface Found {
  command: string[];
  limits: string;
  environment: string;
}

/**
 * The process in which a PDF is printed, as Linux shows it: proc_pid_cmdline(5), proc_pid_limits(5),
 * proc_pid_environ(5).
 */
async function printingProcess(): Promise<Found | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const command = (await read('cmdline')).split('\0');
    const isOurs = (await read('stat')).split(') ').at(-1)?.split(' ')[1] === String(process.pid);
    if (!isOurs || command[0] !== process.execPath || !command.some((part) => part.endsWith('print-process.ts')))
      continue;
    return { command, limits: await read('limits'), environment: await read('environ') };
  }
  return undefined;
}

test.runIf(process.platform === 'linux')(
  'a PDF is printed in a process with limits of the system on memory and time, which reads nothing but code and fonts',
  async () => {
    const { space } = await admin.mutate('createSpace', { organizationId, title: 'Book', empty: true }, 'space { id }');
    const changes = [{ insertPage: { title: 'Long', document: { markdown: 'Some words.\n\n'.repeat(300) } } }];
    await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
    const { body } = await reader.get(`/v1/spaces/${space.id}/pdf`);
    const printed = fetch(body.url.replace(app.services.config.publicUrl, url));
    let found: Found | undefined;
    await expect.poll(async () => (found ??= await printingProcess()), { timeout: 20_000, interval: 5 }).toBeDefined();
    const { command, limits, environment } = found ?? expect.fail('It was found.');
    expect((await printed).status).toBe(200);
    expect(command).toContain('--permission');
    const readable = command.flatMap((part) => (part.startsWith('--allow-') ? [part.split('=')] : []));
    expect(readable.map(([name]) => name)).toEqual(['--allow-fs-read', '--allow-fs-read']);
    expect(readable.map(([, path]) => path)).toEqual([join(ROOT, 'src'), join(ROOT, 'node_modules')]);
    expect(limits).toMatch(/^Max cpu time +12 /m);
    expect(limits).toMatch(/^Max data size +\d+ /m);
    expect(environment).toBe('');
  },
);
