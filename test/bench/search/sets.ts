import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import yazl from 'yazl';
import type { Database } from '../../../src/platform/database/tables.ts';

const run = promisify(execFile);

/** A running service, and an administrator of an organization. */
export interface Service {
  url: string;
  token: string;
  organizationId: string;
  db: Database;
}

/** Imports the newest commit of a git bundle into a new space, and returns its id. */
export async function importBundle(service: Service, bundle: string, directory: string): Promise<string> {
  const clone = await cloneOf(bundle, directory);
  return importFolder(service, basename(clone), await zipOf(clone));
}

/** Checks out the newest commit of a git bundle, and returns the folder. */
export async function cloneOf(bundle: string, directory: string): Promise<string> {
  const clone = join(directory, basename(bundle).replace(/\.bundle$/, ''));
  const heads = (await run('git', ['bundle', 'list-heads', bundle])).stdout;
  const branch = /refs\/heads\/(\S+)/.exec(heads)?.[1];
  await run('git', ['clone', '--quiet', ...(branch ? ['-b', branch] : []), bundle, clone]);
  return clone;
}

/** Imports a zip archive into a new space, and returns its id. */
export async function importFolder(service: Omit<Service, 'db'>, name: string, zip: Buffer): Promise<string> {
  const { organizationId } = service;
  const space = await call(service, 'POST', `/v1/orgs/${organizationId}/spaces`, { title: name, empty: true });
  const path = `/v1/orgs/${organizationId}/uploads?name=${name}.zip`;
  const upload = await call(service, 'POST', path, zip);
  const started = await call(service, 'POST', `/v1/org/${organizationId}/imports`, {
    source: { type: 'file', files: [upload.id] },
    target: { space: space.id },
  });
  for (;;) {
    const { status } = await call(service, 'GET', `/v1/org/${organizationId}/imports/${started.id}`);
    if (status === 'completed') return space.id;
    if (status !== 'pending' && status !== 'in-progress') throw new Error(`The import of ${name} ended: ${status}.`);
    await sleep(500);
  }
}

/** The Markdown and YAML files of a folder as a zip archive. */
export async function zipOf(folder: string): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!entry.isFile() || path.startsWith('.git/') || !/\.(?:md|ya?ml)$/.test(path)) continue;
    zip.addBuffer(await readFile(join(folder, path)), path);
  }
  zip.end();
  return buffer(zip.outputStream);
}

interface Answer {
  id: string;
  status: string;
}

export async function call<Body = Answer>(
  { url, token }: Pick<Service, 'url' | 'token'>,
  method: string,
  path: string,
  body?: object | Buffer,
): Promise<Body> {
  const isZip = Buffer.isBuffer(body);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': isZip ? 'application/zip' : 'application/json' }),
    },
    ...(body && { body: isZip ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 503) {
    // The machine is busy with something else.
    await sleep(1_000);
    return call<Body>({ url, token }, method, path, body);
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}
