import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';

/** A service in a process of its own, for tests that kill it: says when it is up, and runs until then. */
const [directory = '', searchPath] = process.argv.slice(2);
const dataDir = await openDataDir(directory);
process.send?.('opened');
const { url } = await startEmbeddedPostgres({ dataDir, log: console.error, ...(searchPath && { searchPath }) });
process.send?.(url);
