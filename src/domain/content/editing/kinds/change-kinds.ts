import { deleteFile } from './delete-file.ts';
import { deletePage } from './delete-page.ts';
import { deleteReusableContent } from './delete-reusable-content.ts';
import { editPageBlocks } from './edit-page-blocks.ts';
import { editPageSection } from './edit-page-section.ts';
import { editPageText } from './edit-page-text.ts';
import { insertFiles } from './insert-files.ts';
import { insertPage } from './insert-page.ts';
import { insertReusableContent } from './insert-reusable-content.ts';
import { movePage } from './move-page.ts';
import { revertPage } from './revert-page.ts';
import { setVariables } from './set-variables.ts';
import { updateFile } from './update-file.ts';
import { updatePage } from './update-page.ts';
import { updateReusableContent } from './update-reusable-content.ts';

/**
 * All kinds of changes by their field in the graph. `operation` in REST is the same name in snake case (`insert_page`).
 */
export const changeKinds = {
  insertPage,
  updatePage,
  editPageText,
  editPageSection,
  editPageBlocks,
  movePage,
  deletePage,
  revertPage,
  insertFiles,
  updateFile,
  deleteFile,
  insertReusableContent,
  updateReusableContent,
  deleteReusableContent,
  setVariables,
};

/** The `operation` of a kind of change in REST. */
export const restOperationName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
