/*
 * Preloaded into servers of tests: ends the process when the one that started it is gone, however that ended. The
 * variable is removed, so that processes and threads of the server do not watch as well.
 */

const WATCH_MS = 500;
const parent = Number(process.env.HISTORY_PARENT ?? 0);
delete process.env.HISTORY_PARENT;

if (parent > 0) {
  const watch = () => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  };
  watch();
  setInterval(watch, WATCH_MS).unref();
}
