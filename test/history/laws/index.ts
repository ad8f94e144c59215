import type { History, Violation } from '../history.ts';
import { checkAnswers } from './answers.ts';
import { checkCursors } from './cursors.ts';
import { checkEvents } from './events.ts';
import { checkHeads } from './heads.ts';
import { checkKeys } from './keys.ts';
import { checkPermissions } from './permissions.ts';
import { checkTexts } from './texts.ts';

/** The violations of all laws in a history. Pure. */
export function check(history: History): Violation[] {
  return [
    ...checkHeads(history),
    ...checkKeys(history),
    ...checkEvents(history),
    ...checkCursors(history),
    ...checkTexts(history),
    ...checkPermissions(history),
    ...checkAnswers(history),
  ];
}
