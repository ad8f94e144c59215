import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the server's process with `--import`: answers each message of the benchmark with what the process has used
 * so far, and the longest delay of its event loop since the last message.
 */
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
/** Since it was last told `measure`. */
const measured = monitorEventLoopDelay({ resolution: 5 });
measured.enable();
process.on('message', (message) => {
  if (message === 'measure') {
    measured.reset();
    return;
  }
  const { user, system } = process.cpuUsage();
  const longestDelayMs = delay.max / 1e6;
  delay.reset();
  const [p50, p99, max] = [measured.percentile(50), measured.percentile(99), measured.max].map((each) => each / 1e6);
  process.send?.({
    cpuMs: (user + system) / 1_000,
    rssBytes: process.memoryUsage.rss(),
    peakBytes: peakBytes(),
    longestDelayMs,
    delayMs: { p50, p99, max },
  });
});
// The channel alone keeps no server alive that was told to stop.
process.channel?.unref();

/** What getrusage(2) tells includes the parent as it was when it forked; /proc, where there is one, does not. */
function peakBytes(): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Another system.
  }
  return process.resourceUsage().maxRSS * 1024;
}
