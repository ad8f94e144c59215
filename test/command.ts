import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Runs a program of the service to its end, with nothing of the service in its environment but what is given. */
export async function runProgram(
  name: string,
  words: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...environment } as NodeJS.ProcessEnv; // every value is text
  const child = spawn(process.execPath, [...programWords(name), ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

/**
 * Returns the arguments of Node that run a program as its npm script does. Builds the bundle first, unless it is of the
 * sources as they are.
 */
export function programWords(name: string): string[] {
  execFileSync(process.execPath, [join(ROOT, 'build.mjs')], { stdio: 'inherit' });
  return [join(ROOT, 'run.mjs'), join(ROOT, 'dist', `${name}.mjs`)];
}
