import type { Content } from 'pdfmake/interfaces.d.ts';
import type { PdfPrinting } from './context.ts';
import { plainRuns } from './runs.ts';
import type { LeftOut } from './source.ts';
import { INK } from './styles.ts';

const REASONS: Record<keyof LeftOut, string> = {
  format: 'in formats other than PNG, JPEG and SVG',
  size: 'beyond the limits of sizes',
  unreadable: 'that cannot be read',
  effort: 'that take too much time or memory to print',
};

/** The images that a PDF leaves out, with the reasons. Nothing if it has them all. */
export function leftOutNote(printing: PdfPrinting): Content[] {
  const parts = Object.entries(printing.source.leftOut).flatMap(([reason, count]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'image' : 'images'} ${REASONS[reason as keyof LeftOut]}`],
  );
  if (parts.length === 0) return [];
  const text = `Left out of this PDF: ${parts.join(', ')}. A link is in the place of each.`;
  return [{ text: plainRuns(printing, text), fontSize: 9, color: INK.grey, margin: [0, 24, 0, 0] }];
}
