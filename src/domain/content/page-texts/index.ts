export { outlineOf } from './outline-of.ts';
export { type PageText, readPageText } from './read-page-text.ts';
export { type ContentName, type TextStates, textStatesFor, textStatesSince } from './text-states.ts';
