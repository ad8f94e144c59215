export { type PageText, readPageText } from './read-page-text.ts';
export { readTextOutline } from './read-text-outline.ts';
export { type ContentName, type TextStates, textStatesFor, textStatesSince } from './text-states.ts';
