import { z } from 'zod';
import { documentId } from '../../../platform/ids.ts';
import { idIn, namedShape } from '../../../platform/shapes.ts';
import type { ReusableContentEntry } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';

/** REST's RevisionReusableContent. */
export const presentReusableContent = ({ id, title, documentHash }: ReusableContentEntry) => ({
  id,
  title,
  ...(documentHash === undefined ? {} : { document: documentId(toBytes(documentHash)) }),
});

export const reusableContentShape = namedShape('ReusableContent', 'A body that pages show inside of theirs.', {
  id: idIn('reusable', 'Its id, the same in all revisions.'),
  title: z.string().describe('What it is called.'),
  document: idIn('doc', 'Id of its body; absent when that is empty.').optional(),
});
