/**
 * A text without what PostgreSQL cannot store: U+0000, and halves of surrogate pairs. Other control characters than tab
 * and newline are of no use, and are removed too.
 */
export const storableText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\t\n]/gu, '');
