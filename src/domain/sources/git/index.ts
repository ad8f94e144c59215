export { synchronizedSpaces } from './synchronized-spaces.ts';
