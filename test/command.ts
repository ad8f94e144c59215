import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program of the service to its end, with nothing of the service in its environment but what is given. */
export async function runProgram(
  file: string,
  words: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...environment } as NodeJS.ProcessEnv; // every value is text
  const child = spawn(process.execPath, [file, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}
