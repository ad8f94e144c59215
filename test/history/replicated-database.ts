import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { PackagedServer } from '../packaged-server.ts';
import { type DatabaseServer, databaseDirectory, queryAt } from './database-server.ts';
import { Gate } from './gate.ts';

/** The name that a standby connects with. Commits wait until it has written them. */
const STANDBY = 'standby';

/** A primary and its synchronous standby, behind one address that leads to the primary. */
export async function startReplicated(programs: string, directory: string): Promise<DatabaseServer> {
  const settings = { max_connections: 120, wal_keep_size: '512MB', synchronous_standby_names: STANDBY };
  // Without a holder, another run takes the directory for abandoned.
  const lock = await openDataDir(databaseDirectory(directory));
  const gate = await Gate.open();
  let count = 0;
  const nextData = () => join(directory, `database-${count++}`);
  let primary = await PackagedServer.start(programs, nextData(), settings);
  let standby: PackagedServer | undefined;

  /** Gives the primary a standby, without which it confirms no commit. */
  const addStandby = async (): Promise<void> => {
    standby = await primary.replicate(nextData(), { name: STANDBY });
    const connected = `select from pg_stat_replication where application_name = $1 and sync_state = 'sync'`;
    while ((await queryAt(primary.url, connected, [STANDBY])).length === 0) await sleep(20);
  };
  const stop = async (): Promise<void> => {
    gate.close();
    await standby?.stop();
    await primary.stop();
    lock.close();
  };
  try {
    gate.target = primary.port;
    await addStandby();
  } catch (error) {
    await stop();
    throw error;
  }
  const url = primary.url.replace(`:${primary.port}/`, `:${gate.port}/`);
  return {
    url,
    query: (text, values) => queryAt(url, text, values),
    async failOver() {
      if (!standby) throw new Error('The primary has no standby.');
      const former = primary;
      primary = standby;
      standby = undefined;
      await former.lose();
      gate.target = primary.port;
      gate.cut();
      await queryAt(primary.url, 'select pg_promote()');
      await addStandby();
    },
    stop,
  };
}
