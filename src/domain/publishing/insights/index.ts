export { countVisit, writeVisits } from './count-visit.ts';
