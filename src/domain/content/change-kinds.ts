import { deletePage } from './delete-page.ts';
import { insertPage } from './insert-page.ts';
import { movePage } from './move-page.ts';
import { updatePage } from './update-page.ts';

/**
 * Every kind of change, by the member that a change of the graph has for it. REST's `operation` is the same name in snake
 * case (`insert_page`).
 */
export const changeKinds = { insertPage, updatePage, movePage, deletePage };

export type ChangeKindName = keyof typeof changeKinds;

/** REST's name of a kind of change. */
export const operationOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
