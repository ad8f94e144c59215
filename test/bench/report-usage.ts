import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the server's process with `--import`: answers each message of the benchmark with what the process has used
 * so far, and the longest delay of its event loop since the last message.
 */
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const longestDelayMs = delay.max / 1e6;
  delay.reset();
  process.send?.({ cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss(), longestDelayMs });
});
// The channel alone keeps no server alive that was told to stop.
process.channel?.unref();
