export { presentReusableContent, reusableContentShape } from './present.ts';
export { reusableContent } from './resources.ts';
