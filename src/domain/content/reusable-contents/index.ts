export { presentReusableContent, reusableContentShape } from './present.ts';
