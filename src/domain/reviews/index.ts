export { loadReview, type ReviewRow } from './access.ts';
export { type Verdict, verdictsOn } from './verdicts.ts';
