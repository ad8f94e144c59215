import { redact } from '../../../lib/redact/redact.ts';

/** Runs in a worker. */
export const work = ({ text }: { text: string }): string => redact(text);
