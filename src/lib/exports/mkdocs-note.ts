import type { Outcome } from '../repository/report.ts';

/** Says what could not be converted. */
export type Note = (outcome: Outcome, message: string) => void;
