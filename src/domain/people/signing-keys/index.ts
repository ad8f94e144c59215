export { issuerOf, signAs } from './sign.ts';
