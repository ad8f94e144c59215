export { loadReview } from './access.ts';
export { type Verdict, verdictsOn } from './verdicts.ts';
