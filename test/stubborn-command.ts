import { runCommand } from '../src/run-command.ts';

/** A command that does not heed its signal. For `run-command.test.ts`. */
await runCommand(async () => {
  process.stdout.write('begun\n');
  await new Promise(() => setInterval(() => {}, 60_000));
  return undefined;
});
