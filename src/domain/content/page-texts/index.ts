export { outlineOf } from './outline-of.ts';
export { type PageText, readPageText } from './read-page-text.ts';
export { type TextState, textStateFor } from './text-state.ts';
