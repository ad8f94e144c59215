import cluster, { type Worker } from 'node:cluster';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Usage } from './processes.ts';

/**
 * Loaded into the server's process with `--import`, and with it into the processes that it forks: answers each message of
 * the benchmark with what all of them have used so far, and the longest delay of their event loops since the last message.
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
    process.send?.({ usage: together([ownUsage(), ...(await Promise.all(ofForks))]) } satisfies Answer);
  }
});
// The channel alone keeps no server alive that was told to stop. Forks close theirs themselves.
if (cluster.isPrimary) process.channel?.unref();

interface Answer {
  usage: Usage;
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && 'usage' in message;

const forks = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Forks send other messages too. */
function askFork(fork: Worker): Promise<Usage> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (!isAnswer(message)) return;
      fork.off('message', listen);
      resolve(message.usage);
    };
    fork.on('message', listen);
    fork.send('usage');
  });
}

function ownUsage(): Usage {
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

/** CPU and memory of several processes are sums, delays those of the slowest. */
function together(usages: readonly Usage[]): Usage {
  const sum = (read: (usage: Usage) => number) => usages.reduce((total, usage) => total + read(usage), 0);
  const most = (read: (usage: Usage) => number) => Math.max(...usages.map(read));
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
function peakBytes(): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Another system.
  }
  return process.resourceUsage().maxRSS * 1024;
}
