export { type Verdict, verdictsOn } from './verdicts.ts';
