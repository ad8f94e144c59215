export { signAs } from './sign.ts';
