/**
 * Loaded into the server's process with `--import`: answers each message of the benchmark with what the process has used
 * so far.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() });
});
// The channel alone keeps no server alive that was told to stop.
process.channel?.unref();
