import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the server's process with `--import`, and with it into the processes that it forks: answers each message
 * of the benchmark with what all of them have used so far, and the longest delay of their event loops since the last
 * message. In JavaScript, since Node's compiler of TypeScript would count as memory of the server.
 */
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
/** Since it was last told `measure`. */
const measured = monitorEventLoopDelay({ resolution: 5 });
measured.enable();
process.on('message', async (message) => {
  if (message === 'measure') {
    measured.reset();
    for (const fork of forks()) fork.send('measure');
  } else if (message === 'usage') {
    const ofForks = forks().map(askFork);
    process.send?.({ usage: together([ownUsage(), ...(await Promise.all(ofForks))]) });
  }
});
// The channel alone keeps no server alive that was told to stop. Forks close theirs themselves.
if (cluster.isPrimary) process.channel?.unref();

/** @typedef {import('./processes.ts').Usage} Usage */

/** @type {(message: unknown) => message is { usage: Usage }} */
const isAnswer = (message) => typeof message === 'object' && message !== null && 'usage' in message;

const forks = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/**
 * Forks send other messages too.
 *
 * @param {cluster.Worker} fork
 * @returns {Promise<Usage>}
 */
function askFork(fork) {
  return new Promise((resolve) => {
    /** @param {unknown} message */
    const listen = (message) => {
      if (!isAnswer(message)) return;
      fork.off('message', listen);
      resolve(message.usage);
    };
    fork.on('message', listen);
    fork.send('usage');
  });
}

/** @returns {Usage} */
function ownUsage() {
  const { user, system } = process.cpuUsage();
  const longestDelayMs = delay.max / 1e6;
  delay.reset();
  return {
    cpuMs: (user + system) / 1_000,
    rssBytes: process.memoryUsage.rss(),
    peakBytes: peakBytes(),
    longestDelayMs,
    delayMs: {
      p50: measured.percentile(50) / 1e6,
      p99: measured.percentile(99) / 1e6,
      max: measured.max / 1e6,
    },
  };
}

/**
 * CPU and memory of several processes are sums, delays those of the slowest.
 *
 * @param {readonly Usage[]} usages
 * @returns {Usage}
 */
function together(usages) {
  /** @param {(usage: Usage) => number} read */
  const sum = (read) => usages.reduce((total, usage) => total + read(usage), 0);
  /** @param {(usage: Usage) => number} read */
  const most = (read) => Math.max(...usages.map(read));
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    rssBytes: sum(({ rssBytes }) => rssBytes),
    peakBytes: sum((usage) => usage.peakBytes),
    longestDelayMs: most(({ longestDelayMs }) => longestDelayMs),
    delayMs: {
      p50: most(({ delayMs }) => delayMs.p50),
      p99: most(({ delayMs }) => delayMs.p99),
      max: most(({ delayMs }) => delayMs.max),
    },
  };
}

/** What getrusage(2) tells includes the parent as it was when it forked; /proc, where there is one, does not. */
function peakBytes() {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Another system.
  }
  return process.resourceUsage().maxRSS * 1024;
}
