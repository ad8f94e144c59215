import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { isThorough } from './test/how-thorough.ts';
import { LongFilesFirst } from './test/long-files-first.ts';
import { temporaryDirectory } from './test/temporary-directory.ts';

// For the workers and the processes and threads they start, of which there are many: they load what is compiled already.
process.env.TMPDIR = temporaryDirectory();
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'stemma');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: isThorough ? 600_000 : 60_000,
    hookTimeout: 60_000,
    // On two processors: each worker waits for the database a quarter of its time.
    maxWorkers: 3,
    // Node runs the sources as they are, as it does for `npm run dev`: a fifth faster than in the module runner of Vite. Nothing
    // is mocked by its module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', join(import.meta.dirname, 'test', 'bundled-workers.ts')],
    // What is waited for comes at once on an idle machine; how long it may take on a busy one is not what tests are about.
    expect: { poll: { timeout: 25_000, interval: 20 } },
    // Importing the service takes longer than most tests; files of one worker share its modules.
    isolate: false,
    // Files run in a random order, so that none comes to rely on another. The seed is printed; `--sequence.seed=<seed>`
    // repeats an order. Long ones come first, so that the workers end together. Tests within a file keep theirs: many go
    // on from what the one before has made.
    sequence: { shuffle: { files: true, tests: false }, sequencer: LongFilesFirst },
    // Before each test.
    restoreMocks: true,
  },
});
