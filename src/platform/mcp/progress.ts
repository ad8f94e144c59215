import { z } from 'zod';
import type { Step } from '../context/context.ts';

/** What a notification of progress says. */
export interface Progress {
  progress: number;
  total?: number;
  message: string;
}

/** Minimum time between two notifications of a call. Calls that end sooner send none. */
const INTERVAL_MS = 1_000;

/**
 * A step that takes longer is reported again after this time, so that clients do not assume that the call has ended.
 */
const SILENCE_MS = 9_000;

/** Tells the caller how far a call has come. */
export interface ProgressReport {
  /** Notes a step. The next notification has the last one. */
  note(step: Step): void;
  /** Ends the notifications. */
  end(): void;
}

/**
 * Sends at most one notification per second, and at least one in ten seconds. Each has a higher number than before: the
 * steps of the call or, until there are steps, the seconds that it has taken. Steps are counted on from the number that
 * was sent before the first of them. During a long step, the number comes closer to that of the next one.
 */
export function reportProgress(send: (progress: Progress) => void): ProgressReport {
  const began = performance.now();
  let last = -1;
  let sentAt = began;
  /** The number that the steps of this kind are counted from. */
  let base = 0;
  let step: Step | undefined;
  let stepBegan = began;
  const timer = setInterval(() => {
    const now = performance.now();
    const told = step ? ofStep(step, base) : ofTime(now - began);
    const isSilent = now - sentAt >= SILENCE_MS;
    const next = told.progress <= last && isSilent && step ? ofLongStep(step, base, now - stepBegan) : told;
    if (next.progress <= last) return;
    last = next.progress;
    sentAt = now;
    send(next);
  }, INTERVAL_MS).unref();
  return {
    note(noted) {
      if (step?.what !== noted.what || noted.done < step.done) base = Math.max(0, Math.ceil(last));
      if (step?.what !== noted.what || noted.done !== step.done) stepBegan = performance.now();
      step = noted;
    },
    end: () => clearInterval(timer),
  };
}

const ofStep = ({ done, total, what }: Step, base: number): Progress => ({
  progress: base + done,
  total: base + total,
  message: `${what}: ${done} of ${total}.`,
});

/** Progress within a long step: it keeps growing with time, but never reaches the next step. */
function ofLongStep({ done, total, what }: Step, base: number, milliseconds: number): Progress {
  const seconds = Math.round(milliseconds / 1_000);
  return {
    progress: base + done + seconds / (seconds + 60),
    total: base + Math.max(total, done + 1),
    message: `${what}: ${done} of ${total}, for ${seconds} s.`,
  };
}

function ofTime(milliseconds: number): Progress {
  const progress = Math.round(milliseconds / 1_000);
  return { progress, message: `Running for ${progress} s.` };
}

const askingForProgress = z.object({
  params: z.object({ _meta: z.object({ progressToken: z.union([z.string(), z.number()]) }) }),
});

/** The token by which a message asks for progress. */
export const progressTokenIn = (body: unknown): string | number | undefined =>
  askingForProgress.safeParse(body).data?.params._meta.progressToken;
